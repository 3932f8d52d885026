// `plugboard plugin list`, `remove` and `configure`.

import {
  configurePlugin,
  hostEnvironment,
  readPlugins,
  removePlugin,
  secretStore,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { pluginRow, pluginTable } from '../print/plugins.ts';
import { collectAnswers } from './plugin-answers.ts';
import { installError } from './plugin-error.ts';

export async function listPlugins(context: Context): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const environment = hostEnvironment();
  const rows = (await readPlugins(environment)).map(pluginRow);
  const diagnostics = rows.flatMap((row) => row.diagnostics);
  if (context.isJson) {
    printJson(context, { plugins: rows });
  } else {
    writeDiagnostics(err, diagnostics, environment);
    if (rows.length > 0) out.write(pluginTable(rows, environment, out.columns));
    else err.write('No plugins are installed.\nInstall one: plugboard plugin add PATH\n');
  }
  return diagnostics.every(({ severity }) => severity !== 'error') ? EXIT.ok : EXIT.usage;
}

export async function removeInstalled(context: Context, name: string): Promise<ExitCode> {
  const environment = hostEnvironment();
  const removed = await removePlugin({ name, environment, secrets: secretStore(environment) });
  if (!removed.ok) throw installError(removed.error, { what: name });
  const { folder } = removed.value;
  if (context.isJson) printJson(context, { kind: 'removed', name, folder });
  else {
    const where = shortPath(folder, environment);
    context.terminal.err.write(`Removed "${name}" from ${where}.\n`);
  }
  return EXIT.ok;
}

export interface ConfigureRequest {
  readonly name: string;
  readonly set: readonly string[];
}

export async function configureInstalled(
  context: Context,
  { name, set }: ConfigureRequest,
): Promise<ExitCode> {
  const environment = hostEnvironment();
  const plugins = (await readPlugins(environment)).filter(({ source }) => source.from === 'user');
  const plugin = plugins.find(({ source }) => source.plugin === name);
  if (plugin === undefined) {
    const names = plugins.map(({ source }) => source.plugin);
    throw installError({ kind: 'not-installed', names }, { what: name });
  }
  const { questions, missing } = plugin;
  // If the user names what to change, only missing values are asked for.
  const ask = set.length === 0 ? 'all' : 'missing';
  const values = await collectAnswers(context, { set, questions, missing, ask });
  const configured = await configurePlugin({
    name,
    environment,
    values,
    secrets: secretStore(environment),
  });
  if (!configured.ok) throw installError(configured.error, { what: name });
  if (context.isJson) printJson(context, { kind: 'configured', name });
  else context.terminal.err.write(`Configured "${name}".\n`);
  return EXIT.ok;
}
