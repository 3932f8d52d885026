// `plugboard completion SHELL`, and the hidden command that its scripts run.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { COMPLETION_HELP } from '../print/help-text.ts';
import { command, type CommandTable, type Done } from './command.ts';

export const completionCommands: CommandTable = {
  completion: (self, context, done) =>
    command(self, 'print a completion script for your shell')
      .argument('<shell>', 'bash, zsh or fish')
      .addHelpText('after', COMPLETION_HELP)
      .action(async (shell: string) => {
        const { completion } = await import('./completion.ts');
        done(completion(context, shell));
      }),
};

/** Completes the words of all other commands. */
export function addCompleteCommand(program: Command, context: Context, done: Done): void {
  program
    .command('__complete', { hidden: true })
    .argument('[shell]')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (shell: string | undefined, words: string[]) => {
      const { complete } = await import('./complete.ts');
      done(await complete(context, { program, shell, words }));
    });
}
