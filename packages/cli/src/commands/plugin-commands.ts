// `plugboard plugin` and what follows it: the options and the help. The code of each is loaded when it is
// chosen.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { PLUGIN_HELP } from '../print/plugins.ts';
import { UsageError } from '../usage-error.ts';

export interface PluginCommandPorts {
  readonly done: (code: ExitCode) => void;
}

const JSON_HELP = 'print one JSON document to stdout and nothing else';
const NAMES = ['add', 'list', 'remove', 'configure'];

export function addPluginCommands(
  program: Command,
  context: Context,
  { done }: PluginCommandPorts,
): void {
  const plugin = program
    .command('plugin')
    .description('install, list, configure and remove plugins and bundles')
    .usage('<command>')
    .helpCommand(false)
    .option('--json', JSON_HELP)
    .addHelpText('after', PLUGIN_HELP)
    .allowExcessArguments(true)
    .action((_options: object, { args: [unknown] }: Command) => {
      if (unknown === undefined) return plugin.help();
      throw new UsageError(
        `there is no command "plugin ${unknown}"`,
        `use one of: ${NAMES.join(', ')}`,
      );
    });
  const command = (name: string, description: string): Command =>
    plugin
      .command(name)
      .description(description)
      .allowExcessArguments(false)
      .option('--json', JSON_HELP);
  command('add', 'install a plugin folder or a .mcpb bundle')
    .argument('<path>', 'a folder, or a .mcpb or .dxt file')
    .option('--set <KEY=VALUE>', 'an answer to what it asks; repeatable', collect)
    .option('--force', 'replace a plugin of that name')
    .action(async (path: string, { set = [], force }: { set?: string[]; force?: true }) => {
      const { addPlugin } = await import('./plugin-add.ts');
      const replace = force === true ? 'overwrite' : 'refuse';
      done(await addPlugin(context, { source: path, set, replace }));
    });
  command('list', 'list the plugins that are installed or come with the project').action(
    async () => {
      const { listPlugins } = await import('./plugin.ts');
      done(await listPlugins(context));
    },
  );
  command('remove', 'remove an installed plugin and what you told it')
    .argument('<name>', 'the name of the plugin')
    .action(async (name: string) => {
      const { removeInstalled } = await import('./plugin.ts');
      done(await removeInstalled(context, name));
    });
  command('configure', 'answer what an installed bundle asks')
    .argument('<name>', 'the name of the plugin')
    .option('--set <KEY=VALUE>', 'an answer; repeatable', collect)
    .action(async (name: string, { set = [] }: { set?: string[] }) => {
      const { configureInstalled } = await import('./plugin.ts');
      done(await configureInstalled(context, { name, set }));
    });
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
