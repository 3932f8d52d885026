// `plugboard import`: its options and help.

import { IMPORT_HELP } from '../print/help-text.ts';
import { command, type CommandTable, withDefault } from './command.ts';
import type { ImportOptions } from './import.ts';

export const importCommands: CommandTable = {
  import: (self, context, done) =>
    command(self, 'copy servers from the configuration of other MCP hosts')
      .argument('[host...]', 'the host, such as cursor or vscode (default: all)')
      .addOption(
        withDefault('-s, --scope <scope>', 'where to write them: local, project or user', 'user'),
      )
      .option('--all', 'all new servers, without asking')
      .option('--only <name...>', 'only these servers, without asking')
      .option('--dry-run', 'show what would change, and write nothing')
      .option('--force', 'also replace servers that differ')
      .addHelpText('after', IMPORT_HELP)
      .action(async (hosts: string[], options: ImportOptions) => {
        const { importServers } = await import('./import.ts');
        done(await importServers(context, { hosts, options }));
      }),
};
