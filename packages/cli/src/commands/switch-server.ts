// `plugboard enable NAME` and `plugboard disable NAME`: change one field of an entry in the file of a scope. The default scope is
// the user in this project.

import {
  CODEBASE,
  enableServer,
  hostEnvironment,
  type SourceReport,
  setField,
  targetFile,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { serverRows } from '../print/servers.ts';
import { alreadyWords, ownedError, stillWords, switchedWords } from '../print/switched.ts';
import { bringsCodebase } from './built-in.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';
import { editError, scopeOf } from './edit.ts';
import { approveOwnEdit } from './own-approval.ts';

export interface SwitchRequest {
  readonly name: string;
  readonly to: 'enabled' | 'disabled';
  readonly scope: string | undefined;
}

export async function switchServer(context: Context, request: SwitchRequest): Promise<ExitCode> {
  const { name, to } = request;
  if (name === CODEBASE && bringsCodebase(hostEnvironment())) {
    const { switchBuiltIn } = await import('./switch-built-in.ts');
    return switchBuiltIn(context, request);
  }
  const scope = scopeOf(request.scope ?? 'local');
  // In a chat, the server may come from --mcp-config.
  const read = (): Promise<CommandConfiguration> => readConfigured({ named: context.named });
  const configured = await read();
  const { environment } = configured;
  const places = placesOf(name, configured);
  if (isOwned(name, configured)) throw ownedError(name);
  const state = serverState(name, configured);
  const own = places.find((place) => place.scope === scope && place.origin.kind === 'file');
  // An invalid server cannot be enabled. Its entry must be corrected.
  if (state === 'invalid' && to === 'enabled' && own === undefined) {
    throw unknownServer(name, configured);
  }
  if (state === to && (to === 'enabled' || request.scope === undefined)) {
    return report(context, { kind: 'unchanged', name, file: null, state });
  }
  const file = own?.origin.kind === 'file' ? own.origin.file : await targetFile(environment, scope);
  const key = own?.writtenAs ?? name;
  const { isChange, now } = await switchIn(file, { name, key, to, from: configured, read });
  if (context.isJson) {
    report(context, {
      kind: isChange ? to : 'unchanged',
      name,
      file,
      state: serverState(name, now),
    });
  } else {
    const { err } = context.terminal;
    err.write(isChange ? switchedWords({ name, to, file }, environment) : alreadyWords(name, to));
    const winner = serverRows(now).find((row) => row.name === name);
    const effective = serverState(name, now);
    if (winner !== undefined && effective !== 'invalid' && effective !== to) {
      err.write(stillWords({ name, state: effective, origin: winner.origin }, environment));
    }
  }
  // Comes last, since it may print more about the server.
  if (to === 'enabled') await approveOwnEdit(context, { name, file, wrote: 'switch' });
  return EXIT.ok;
}

interface SwitchResult {
  readonly isChange: boolean;
  /** What is configured afterwards. */
  readonly now: CommandConfiguration;
}

interface SwitchedIn extends Pick<SwitchRequest, 'name' | 'to'> {
  /** The name of the server in that file. */
  readonly key: string;
  readonly from: CommandConfiguration;
  readonly read: () => Promise<CommandConfiguration>;
}

async function switchIn(
  file: string,
  { name, key, to, from, read }: SwitchedIn,
): Promise<SwitchResult> {
  const set = (value: boolean) => setField({ file, name: key, path: ['disabled'], value });
  const switched = to === 'disabled' ? await set(true) : await enableServer({ file, name: key });
  if (!switched.ok) throw editError(switched.error, { name, file, from: from.environment });
  const now = await read();
  const isChange = switched.value.kind !== 'unchanged';
  // The entry that disabled the server was removed, but a weaker one also disables it.
  if (
    to === 'disabled' ||
    switched.value.kind !== 'removed' ||
    serverState(name, now) !== 'disabled'
  ) {
    return { isChange, now };
  }
  const enabled = await set(false);
  if (!enabled.ok) throw editError(enabled.error, { name, file, from: from.environment });
  return { isChange, now: await read() };
}

/** The places of a server's entries, strongest first. */
function placesOf(
  name: string,
  configured: CommandConfiguration,
): readonly Pick<SourceReport, 'scope' | 'origin' | 'writtenAs'>[] {
  const { servers, rejected } = configured.configuration;
  const found = [...servers, ...rejected].find((candidate) => candidate.name === name);
  if (found === undefined) throw unknownServer(name, configured);
  return found.sources;
}

/** Whether the enterprise configuration decides, so that other files have no effect. */
function isOwned(name: string, { configuration }: CommandConfiguration): boolean {
  const isDefined = configuration.servers.some(
    (server) => server.name === name && server.scope === 'enterprise',
  );
  const statement = configuration.explain(name).find(({ path }) => path[0] === 'disabled');
  return isDefined || statement?.from[0]?.scope === 'enterprise';
}

type State = 'enabled' | 'disabled' | 'invalid';

function serverState(name: string, { configuration }: CommandConfiguration): State {
  const server = configuration.servers.find((candidate) => candidate.name === name);
  if (server === undefined) return 'invalid';
  return server.written.disabled ? 'disabled' : 'enabled';
}

/** The document of `--json`. */
interface SwitchDocument {
  readonly kind: 'enabled' | 'disabled' | 'unchanged';
  readonly name: string;
  /** `null` if no file was edited. */
  readonly file: string | null;
  /** The effective state. */
  readonly state: State;
}

function report(context: Context, document: SwitchDocument): ExitCode {
  const { name, state } = document;
  if (context.isJson) printJson(context, document);
  else if (state !== 'invalid') context.terminal.err.write(alreadyWords(name, state));
  return EXIT.ok;
}
