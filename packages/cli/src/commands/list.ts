// `plugboard list`: what is configured, from the files alone. Starts nothing.

import {
  type Configuration,
  type HostEnvironment,
  hostEnvironment,
  loadConfig,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { type ServerRow, serverRows, serverTable } from '../print/servers.ts';

export interface Listed {
  readonly environment: HostEnvironment;
  readonly configuration: Configuration;
  readonly rows: readonly ServerRow[];
}

export async function readServers(): Promise<Listed> {
  const environment = hostEnvironment();
  const configuration = await loadConfig({ environment });
  return { environment, configuration, rows: serverRows(configuration) };
}

export async function list(context: Context): Promise<ExitCode> {
  const { environment, configuration, rows } = await readServers();
  if (context.isJson) {
    printJson(context, { servers: rows, diagnostics: configuration.diagnostics });
    return EXIT.ok;
  }
  printDiagnostics(context, configuration.diagnostics, environment.cwd);
  if (rows.length === 0) {
    context.terminal.err('No servers are configured here.\nAdd one: plugboard add NAME -- COMMAND\n');
    return EXIT.ok;
  }
  context.terminal.out(serverTable(rows, environment.cwd, context.terminal.columns));
  return EXIT.ok;
}
