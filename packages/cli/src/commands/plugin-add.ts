// `plugboard plugin add PATH`: shows the commands of a plugin, asks its questions, and installs it.

import {
  hostEnvironment,
  type PluginServer,
  secretStore,
  stagePlugin,
} from '@plugboard/host/configuration';
import { canAsk, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { previewText, serverDocument, trustText } from '../print/plugins.ts';
import { readConfigured } from './configured.ts';
import { collectAnswers } from './plugin-answers.ts';
import { installError, stageError } from './plugin-error.ts';

export interface AddPluginRequest {
  readonly source: string;
  readonly set: readonly string[];
  readonly replace: 'refuse' | 'overwrite';
}

export async function addPlugin(context: Context, request: AddPluginRequest): Promise<ExitCode> {
  const { source, set, replace } = request;
  const { err } = context.terminal;
  const environment = hostEnvironment();
  const staged = await stagePlugin({ source, environment });
  if (!staged.ok) throw stageError(staged.error, { what: source, from: environment });
  await using plugin = staged.value;
  if (!context.isJson) err.write(previewText(plugin));
  const { questions, missing } = plugin;
  const values = await collectAnswers(context, { set, questions, missing, ask: 'all' });
  const installed = await plugin.install({ values, secrets: secretStore(environment), replace });
  if (!installed.ok) throw installError(installed.error, { what: plugin.name });
  const { kind, name, folder, servers } = installed.value;
  if (context.isJson) {
    printJson(context, { kind, name, folder, servers: servers.map(serverDocument) });
    return EXIT.ok;
  }
  const words = kind === 'installed' ? 'Installed' : 'Replaced';
  err.write(`${words} "${name}" in ${shortPath(folder, environment)}.\n`);
  err.write(trustText(await trustServers(context, servers)));
  return EXIT.ok;
}

/** Asks the user on a terminal about each server, and returns those that are not trusted. */
async function trustServers(
  context: Context,
  servers: readonly PluginServer[],
): Promise<readonly PluginServer[]> {
  const { askAndApprove, isUntrusted } = await import('./trust.ts');
  const configured = await readConfigured();
  const waiting: PluginServer[] = [];
  for (const server of servers) {
    const found = configured.configuration.servers.find(({ name }) => name === server.name);
    if (found === undefined || !isUntrusted(found)) continue;
    const isAsked = canAsk(context) && !context.terminal.interrupted.aborted;
    const answer = isAsked ? await askAndApprove(context, configured, found) : 'refused';
    if (answer !== 'trusted') waiting.push(server);
  }
  return waiting;
}
