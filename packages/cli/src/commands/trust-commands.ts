// The commands about whether a server may start, and why it is what it is.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { command, type CommandLinePorts } from './command.ts';

export function addTrustCommands(
  program: Command,
  context: Context,
  { done }: CommandLinePorts,
): void {
  command(program, 'explain', 'show where every field of a server comes from, and what hides it')
    .argument('<name>', 'the name of the server')
    .action(async (name: string) => {
      const { explain } = await import('./explain.ts');
      done(await explain(context, name));
    });
  command(program, 'trust', 'let servers start that came with this folder or a plugin')
    .argument('[name]', 'the name of the server; without it, all that wait for it')
    .option('--revoke', 'take it back')
    .action(async (name: string | undefined, options: { revoke?: true }) => {
      const { trust } = await import('./trust.ts');
      done(await trust(context, { name, isRevoked: options.revoke === true }));
    });
}
