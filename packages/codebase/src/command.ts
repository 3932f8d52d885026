// The command that serves a codebase, as `plugboard-codebase` and as `plugboard codebase`. Over stdio, stdout carries only
// the protocol; all messages go to stderr. Resolves with the exit code: over stdio when the client has disconnected,
// over HTTP as soon as the server listens.

import { type Logger, type LogLevel, messageOf, type Result } from '@plugboard/base';
import { type CommandRequest, helpFor, readFlags } from './command-flags.ts';
import { parseEmbedderSettings } from './embed/index.ts';
import { parseLanguageServers } from './language-server/index.ts';
import {
  environmentVariable,
  keepHeapSmall,
  ownProcess,
  type OwnProcess,
  ownVersion,
} from './platform/index.ts';
import { type Codebase, createCodebase, parseHosts } from './server/index.ts';
import { parseStoreSettings } from './store/index.ts';

export { helpFor, readFlags };

export interface CommandOptions {
  /** The name of the command, for its help. */
  readonly name: string;
  readonly args: readonly string[];
  /** Defaults for absent flags, in the form of the settings. */
  readonly embedder?: unknown;
  readonly store?: unknown;
  readonly languageServers?: unknown;
  readonly remotes?: unknown;
}

type ServeRequest = Extract<CommandRequest, { readonly kind: 'stdio' | 'http' }>;
type ExitCode = typeof OK | typeof FAILED | typeof USAGE;

const OK = 0;
const FAILED = 1;
const USAGE = 2;

export async function runCommand(options: CommandOptions): Promise<ExitCode> {
  const own = ownProcess();
  const request = readFlags(options.args);
  if (!request.ok) {
    own.writeError(`error: ${request.error}\nfix: ${options.name} --help\n`);
    return USAGE;
  }
  const { value } = request;
  if (value.kind === 'help' || value.kind === 'version') {
    own.writeOutput(value.kind === 'help' ? helpFor(options.name) : `${ownVersion()}\n`);
    return OK;
  }
  const embedder = parseEmbedderSettings(value.embedder ?? options.embedder);
  const store = parseStoreSettings(value.store ?? options.store);
  const servers = parseLanguageServers(value.languageServers ?? options.languageServers);
  if (!embedder.ok || !store.ok || !servers.ok) {
    const problems = [embedder, store, servers].flatMap(problemsIn);
    own.writeError(problems.map((problem) => `error: ${problem}\n`).join(''));
    return USAGE;
  }
  keepHeapSmall();
  const codebase = createCodebase({
    roots: value.roots.length === 0 ? [{ path: own.folder }] : value.roots,
    cacheFolder: value.cacheFolder,
    embedder: embedder.value,
    store: store.value,
    languageServers: servers.value,
    format: value.format,
    ignored: value.ignored,
    allowRemotes: value.remotes ?? parseHosts(options.remotes),
    logger: loggerTo(own, value.logs),
  });
  own.onStop(() => void codebase.close());
  try {
    return await serve(codebase, value, own);
  } catch (thrown) {
    own.writeError(`error: ${messageOf(thrown)}\n`);
    await codebase.close();
    return FAILED;
  }
}

function problemsIn(read: Result<unknown, readonly string[]>): readonly string[] {
  return read.ok ? [] : read.error;
}

async function serve(
  codebase: Codebase,
  request: ServeRequest,
  own: OwnProcess,
): Promise<ExitCode> {
  if (request.kind === 'stdio') {
    const { ended } = await codebase.serveStdio();
    await ended;
    await codebase.close();
    return OK;
  }
  const { host, port, allowedHosts, allowedOrigins, tokenVariable } = request;
  const token = tokenVariable === undefined ? undefined : environmentVariable(tokenVariable);
  if (tokenVariable !== undefined && (token === undefined || token === '')) {
    own.writeError(`error: the variable ${tokenVariable} is not set\n`);
    return USAGE;
  }
  const { url } = await codebase.serveHttp({ host, port, token, allowedHosts, allowedOrigins });
  own.writeError(`listening on ${url}\n`);
  return OK;
}

const LOGGED: readonly LogLevel[] = ['info', 'warn', 'error'];

function loggerTo(own: OwnProcess, form: 'text' | 'json'): Logger {
  return {
    log(level, message, fields = {}) {
      if (!LOGGED.includes(level)) return;
      if (form === 'json')
        return own.writeError(`${JSON.stringify({ level, message, ...fields })}\n`);
      const words = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}`);
      return own.writeError(`${level}: ${[message, ...words].join('; ')}\n`);
    },
  };
}
