// `plugboard trust`: whether a server may start that somebody else has written.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { command, type CommandLinePorts } from './command.ts';

export function addTrustCommands(
  program: Command,
  context: Context,
  { done }: CommandLinePorts,
): void {
  command(program, 'trust', 'let servers start that came with this folder or a plugin')
    .argument('[name]', 'the name of the server; without it, all that wait for it')
    .option('--revoke', 'take it back')
    .action(async (name: string | undefined, options: { revoke?: true }) => {
      const { trust } = await import('./trust.ts');
      done(await trust(context, { name, isRevoked: options.revoke === true }));
    });
}
