// `plugboard snippets` and its subcommands.

import { SNIPPETS_HELP } from '../print/help-text.ts';
import { command, commandGroup, type CommandTable, YES_TO_ALL_HELP } from './command.ts';

export const snippetCommands: CommandTable = {
  snippets: (self, context, done) => {
    const snippets = commandGroup(self, 'keep and run scripts that use tools').addHelpText(
      'after',
      SNIPPETS_HELP,
    );
    command(
      snippets.command('list'),
      'list the snippets, and whether they have changed since you approved them',
    ).action(async () => {
      const { listSnippets } = await import('./snippets.ts');
      done(await listSnippets(context));
    });
    command(snippets.command('show'), 'show the script')
      .argument('<name>', 'its name')
      .action(async (name: string) => {
        const { showSnippet } = await import('./snippets.ts');
        done(await showSnippet(context, name));
      });
    command(snippets.command('add'), 'approve the script in a file, and give it a name')
      .argument('<name>', 'a name for it: letters, digits, _ . and -')
      .argument('<file>', 'a file with JavaScript or TypeScript')
      .option('--yes', 'approve it without being asked')
      .action(async (name: string, file: string) => {
        const { addSnippet } = await import('./snippets.ts');
        done(await addSnippet(context, name, file));
      });
    command(snippets.command('run'), 'run a script that you approved')
      .argument('<name>', 'its name')
      .option('--yes', YES_TO_ALL_HELP)
      .action(async (name: string) => {
        const { runSnippet } = await import('./snippets.ts');
        done(await runSnippet(context, name));
      });
    command(snippets.command('remove'), 'forget a snippet; its file stays')
      .argument('<name>', 'its name')
      .action(async (name: string) => {
        const { removeSnippet } = await import('./snippets.ts');
        done(await removeSnippet(context, name));
      });
  },
};
