// `plugboard completion SHELL`, and the hidden command that its scripts run.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { COMPLETION_HELP } from '../print/help-text.ts';
import { command, type Done } from './command.ts';

export function addCompletionCommands(program: Command, context: Context, done: Done): void {
  command(program, 'completion', 'print a completion script for your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: string) => {
      const { completion } = await import('./completion.ts');
      done(completion(context, shell));
    });
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
