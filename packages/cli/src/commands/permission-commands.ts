// `plugboard permissions`: what would happen to a call, and which file says so.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { PERMISSIONS_HELP } from '../print/help-text.ts';
import { command, type CommandLinePorts, TRUST_HELP } from './command.ts';

export function addPermissionCommands(
  program: Command,
  context: Context,
  { done }: CommandLinePorts,
): void {
  command(program, 'permissions', 'show the rules about calls, or what they say about one')
    .argument('[tool]', 'server/tool, or the name that models know')
    .argument('[arguments...]', 'the arguments of the call, as "plugboard call" takes them')
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', PERMISSIONS_HELP)
    .action(async (tool: string | undefined, given: string[]) => {
      const { permissions } = await import('./permissions.ts');
      done(await permissions(context, { tool, given }));
    });
}
