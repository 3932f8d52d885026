// `plugboard trust`: whether a server may start that somebody else has written.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';
import { command, type CommandLinePorts } from './command.ts';

export function addTrustCommands(
  program: Command,
  context: Context,
  { done }: CommandLinePorts,
): void {
  command(program, 'trust', 'let servers start that came with this folder or a plugin')
    .argument('[name]', 'the name of the server; without it, all that wait for it')
    .option(
      '--notes',
      'instead of servers: have a model follow AGENTS.md of this folder, as it is now',
    )
    .option('--revoke', 'take it back')
    .action(async (name: string | undefined, options: { notes?: true; revoke?: true }) => {
      const isRevoked = options.revoke === true;
      if (options.notes === true) {
        if (name !== undefined) {
          throw new UsageError(
            '--notes is about AGENTS.md, and takes no name',
            'plugboard trust --notes',
          );
        }
        const { takeNotesBack, trustNotes } = await import('./trust-notes.ts');
        done(await (isRevoked ? takeNotesBack(context) : trustNotes(context)));
        return;
      }
      const { trust } = await import('./trust.ts');
      done(await trust(context, { name, isRevoked }));
    });
}
