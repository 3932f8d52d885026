// `plugboard plugin` and its subcommands: their options and help.

import { PLUGIN_HELP } from '../print/help-text.ts';
import { collect, command, commandGroup, type CommandTable } from './command.ts';

export const pluginCommands: CommandTable = {
  plugin: (self, context, done) => {
    const plugin = commandGroup(
      self,
      'install, list, configure and remove plugins and bundles',
    ).addHelpText('after', PLUGIN_HELP);
    command(plugin.command('add'), 'install a plugin folder or a .mcpb bundle')
      .argument('<path>', 'a folder, or a .mcpb or .dxt file')
      .option('--set <KEY=VALUE>', 'an answer to one of its questions; repeatable', collect)
      .option('--force', 'replace a plugin with that name')
      .action(async (path: string, { set = [], force }: { set?: string[]; force?: true }) => {
        const { addPlugin } = await import('./plugin-add.ts');
        const replace = force === true ? 'overwrite' : 'refuse';
        done(await addPlugin(context, { source: path, set, replace }));
      });
    command(
      plugin.command('list'),
      'list the plugins that are installed or come with the project',
    ).action(async () => {
      const { listPlugins } = await import('./plugin.ts');
      done(await listPlugins(context));
    });
    command(plugin.command('remove'), 'remove an installed plugin and your answers')
      .argument('<name>', 'the name of the plugin')
      .action(async (name: string) => {
        const { removeInstalled } = await import('./plugin.ts');
        done(await removeInstalled(context, name));
      });
    command(plugin.command('configure'), 'answer the questions of an installed bundle')
      .argument('<name>', 'the name of the plugin')
      .option('--set <KEY=VALUE>', 'an answer; repeatable', collect)
      .action(async (name: string, { set = [] }: { set?: string[] }) => {
        const { configureInstalled } = await import('./plugin.ts');
        done(await configureInstalled(context, { name, set }));
      });
  },
};
