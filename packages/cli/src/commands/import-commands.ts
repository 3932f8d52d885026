// `plugboard import` and its options. The code of it is loaded when it is chosen.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { IMPORT_HELP } from '../print/import-help.ts';
import type { ImportOptions } from './import.ts';

export function addImportCommands(
  program: Command,
  context: Context,
  ports: { readonly done: (code: ExitCode) => void },
): void {
  program
    .command('import')
    .description('bring over the servers that other MCP hosts have configured')
    .argument('[host...]', 'only from these, such as cursor or vscode')
    .option('-s, --scope <scope>', 'whose servers they become: local, project or user', 'user')
    .option('--all', 'all that are new, without asking')
    .option('--only <name...>', 'only these servers, without asking')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--force', 'replace servers that differ, too')
    .option('--json', 'print one JSON document to stdout and nothing else')
    .addHelpText('after', IMPORT_HELP)
    .action(async (hosts: string[], options: ImportOptions) => {
      const { importServers } = await import('./import.ts');
      ports.done(await importServers(context, { hosts, options }));
    });
}
