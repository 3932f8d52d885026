// `plugboard codebase`: all that follows is for the server, which reads and explains its own flags.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { CommandLinePorts } from './command.ts';

export function addCodebaseCommands(
  program: Command,
  _context: Context,
  { done }: CommandLinePorts,
): void {
  program
    .command('codebase')
    .description('serve the code here to any MCP client, over stdio or HTTP')
    .usage('[--root FOLDER] [--http [PORT]] …')
    .argument('[flags...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (flags: string[]) => {
      const { codebase } = await import('./codebase.ts');
      done(await codebase(flags), 'served');
    });
}
