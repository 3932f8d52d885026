// The commands that edit the servers of a configuration file.

import type { Context } from '../context.ts';
import { ADD_HELP, ADD_JSON_HELP } from '../print/help-text.ts';
import type { AddOptions, AddRequest } from './add.ts';
import { collect, command, type CommandTable, withDefault } from './command.ts';

const SCOPE = '-s, --scope <scope>';

export const editCommands: CommandTable = {
  add: (self, context, done) =>
    command(self, 'add a server to a configuration file')
      .argument('[name]', 'a name for it: letters, digits, - and _')
      .argument('[target...]', 'a URL, or -- followed by the command and its arguments')
      .option(SCOPE, 'whose server it is: local, project or user (default: local)')
      .option('-t, --transport <type>', 'stdio, http, sse or ws (default: detected)')
      .option(
        '-e, --env <KEY=VALUE>',
        'an environment variable for the command; repeatable',
        collect,
      )
      .option('-H, --header <NAME: VALUE>', 'an HTTP header for the URL; repeatable', collect)
      .option(
        '--cwd <folder>',
        'where the command starts: project (the folder you are in), or a path',
      )
      .option('--force', 'replace a server with that name')
      .addHelpText('after', ADD_HELP)
      .action(async (name: string | undefined, target: string[], options: AddOptions) => {
        const { add } = await import('./add.ts');
        const words = [...(name === undefined ? [] : [name]), ...target];
        done(await add(context, { ...nameAndTarget(words, context), options }));
      }),
  'add-json': (self, context, done) =>
    command(self, 'add a server from a JSON entry, such as one from a web page')
      .argument('<name>', 'a name for it: letters, digits, - and _')
      .argument('<json>', 'its entry, or - to read it from stdin')
      .addOption(withDefault(SCOPE, 'whose server it is: local, project or user', 'local'))
      .option('--force', 'replace a server with that name')
      .addHelpText('after', ADD_JSON_HELP)
      .action(async (name: string, json: string, options: { scope: string; force?: true }) => {
        const { addJson } = await import('./add-json.ts');
        const replace = options.force === true ? 'overwrite' : 'refuse';
        done(await addJson(context, { name, json, scope: options.scope, replace }));
      }),
  remove: (self, context, done) =>
    command(self, 'remove a server from its configuration file')
      .alias('rm')
      .argument('<name>', 'the name of the server')
      .option(SCOPE, 'local, project or user (default: the one that has it)')
      .action(async (name: string, options: { scope?: string }) => {
        const { remove } = await import('./remove.ts');
        done(await remove(context, name, options.scope));
      }),
  enable: switchTo('enabled', 'use a disabled server again'),
  disable: switchTo('disabled', 'keep a server in the configuration without using it'),
};

function switchTo(to: 'enabled' | 'disabled', description: string): CommandTable[string] {
  return (self, context, done) =>
    command(self, description)
      .argument('<name>', 'the name of the server')
      .option(SCOPE, 'for whom: local, project or user (default: local)')
      .action(async (name: string, { scope }: { scope?: string }) => {
        const { switchServer } = await import('./switch-server.ts');
        done(await switchServer(context, { name, to, scope }));
      });
}

/** The name is the word before `--`. Without such a word, or with a URL alone, the server has no name yet. */
function nameAndTarget(
  words: readonly string[],
  { wordsAfterDashes = -1 }: Context,
): Pick<AddRequest, 'name' | 'target'> {
  const [first = '', ...rest] = words;
  const isUrlAlone = rest.length === 0 && first.includes('://');
  const isNameless = words.length > 0 && (wordsAfterDashes === words.length || isUrlAlone);
  return isNameless ? { target: words } : { name: words[0], target: rest };
}
