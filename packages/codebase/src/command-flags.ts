// Reads the flags of the command that serves a codebase. Pure; mistakes are returned as sentences.

import { parseArgs } from 'node:util';
import { err, isObject, messageOf, ok, parseJson, type Result } from '@plugboard/base';

export type CommandRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | ({ readonly kind: 'stdio' } & CommonFlags)
  | ({
      readonly kind: 'http';
      readonly port: number;
      readonly host: string | undefined;
      readonly tokenVariable: string | undefined;
      readonly allowedHosts: readonly string[];
      readonly allowedOrigins: readonly string[];
    } & CommonFlags);

export interface CommonFlags {
  /** Empty: the current folder is served. */
  readonly roots: readonly { readonly name?: string; readonly path: string }[];
  readonly cacheFolder: string | undefined;
  readonly logs: 'text' | 'json';
  readonly format: 'plain' | 'compat';
  /** Unchecked, in the form of the settings; `undefined` if the flag is absent. */
  readonly embedder: unknown;
  readonly store: unknown;
  readonly languageServers: unknown;
  /** Hosts whose repositories may be fetched; `undefined` if the flag is absent. */
  readonly remotes: readonly string[] | undefined;
  readonly ignored: 'refuse' | 'on-request';
}

export const USUAL_PORT = 7345;

/** `name` is the name of the command. */
export function helpFor(name: string): string {
  return `${name}: search and read a codebase as an MCP server

  ${name} [--root FOLDER]                over stdio
  ${name} [--root FOLDER] --http [PORT]  over HTTP, on /mcp

  --root [NAME=]FOLDER   the folder to serve (default: the current folder); may be repeated: paths then begin
                         with the name of their root (default: that of the folder)
  --http [PORT]          listen on this port (default: ${USUAL_PORT}; 0: any free port)
  --host ADDRESS         the address to listen on (default: 127.0.0.1)
  --token-variable NAME  the environment variable with the bearer token of clients;
                         required for any address that other machines can reach
  --allow-host NAME      a name by which clients know this machine; may be repeated
  --allow-origin ORIGIN  pages that may use the server, such as https://tools.example, besides those of this
                         machine; may be repeated
  --format FORMAT        plain (default), or compat: also structuredContent, with file_path and line_number
  --allow-ignored        let read_file return ignored files and files that look like secrets, if it is called
                         with ignored: true
  --allow-remote HOST    fetch a --root that is the address of a git repository on this host, such as
                         https://HOST/owner/name.git; file: for those of this machine; may be repeated
  --cache FOLDER         where to keep indexes (default: the user's cache folder)
  --embedder EMBEDDER    ${EMBEDDER_FORMS}
  --store STORE          ${STORE_FORMS}
  --language-server LANGUAGE=COMMAND
                         a program to ask who uses a symbol, such as "python=pyright-langserver --stdio";
                         may be repeated
  --json-logs            logs as JSON lines; logs always go to stderr
  --version, --help

The embedded embedder and store need no network. In JSON, apiKeyVariable is the name of the variable with the key:
  --embedder '{"kind":"openai","url":"https://models.example","model":"m","apiKeyVariable":"MODELS_KEY"}'
`;
}

const OPTIONS = {
  root: { type: 'string', multiple: true },
  http: { type: 'string' },
  host: { type: 'string' },
  'token-variable': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  format: { type: 'string' },
  'allow-ignored': { type: 'boolean' },
  'allow-remote': { type: 'string', multiple: true },
  cache: { type: 'string' },
  embedder: { type: 'string' },
  store: { type: 'string' },
  'language-server': { type: 'string', multiple: true },
  'json-logs': { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export function readFlags(args: readonly string[]): Result<CommandRequest, string> {
  const parsed = parseFlags(args);
  if (!parsed.ok) return parsed;
  const flags = parsed.value;
  if (flags.help === true) return ok({ kind: 'help' });
  if (flags.version === true) return ok({ kind: 'version' });
  const embedder = flags.embedder === undefined ? ok(undefined) : readEmbedder(flags.embedder);
  if (!embedder.ok) return embedder;
  const store = flags.store === undefined ? ok(undefined) : readStore(flags.store);
  if (!store.ok) return store;
  const servers = readLanguageServers(flags['language-server']);
  if (!servers.ok) return servers;
  const { format = 'plain' } = flags;
  if (format !== 'plain' && format !== 'compat') return err('--format is plain or compat');
  const common: CommonFlags = {
    format,
    roots: (flags.root ?? []).map(readRoot),
    cacheFolder: flags.cache,
    logs: flags['json-logs'] === true ? 'json' : 'text',
    embedder: embedder.value,
    store: store.value,
    languageServers: servers.value,
    remotes: flags['allow-remote'],
    ignored: flags['allow-ignored'] === true ? 'on-request' : 'refuse',
  };
  const { http, host, 'token-variable': tokenVariable } = flags;
  const { 'allow-host': allowedHosts = [], 'allow-origin': allowedOrigins = [] } = flags;
  if (http === undefined) {
    const isForHttp = host !== undefined || tokenVariable !== undefined;
    if (isForHttp || allowedHosts.length > 0 || allowedOrigins.length > 0) {
      return err('--host, --token-variable, --allow-host and --allow-origin need --http');
    }
    return ok({ kind: 'stdio', ...common });
  }
  const port = /^\d{1,5}$/.test(http) ? Number(http) : Number.NaN;
  if (!(port <= 65_535)) return err('--http takes a port from 0 to 65535');
  return ok({ kind: 'http', port, host, tokenVariable, allowedHosts, allowedOrigins, ...common });
}

function parseFlags(args: readonly string[]) {
  try {
    return ok(parseArgs({ args: addPort(args), options: OPTIONS, strict: true }).values);
  } catch (thrown) {
    return err(messageOf(thrown));
  }
}

/** Adds the default port to an `--http` without one. */
function addPort(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    if (arg !== '--http') return arg;
    const next = args[index + 1];
    return next === undefined || next.startsWith('-') ? `--http=${USUAL_PORT}` : arg;
  });
}

const EMBEDDER_FORMS = 'embedded, none, ollama:MODEL, openai:URL#MODEL or JSON';
const STORE_FORMS = 'embedded, qdrant:URL or JSON';

const LIMITS = { maxLength: 10_000, maxDepth: 10 };

function readEmbedder(text: string): Result<unknown, string> {
  if (text === 'embedded' || text === 'none') return ok({ kind: text });
  const [, model] = /^ollama:(.+)$/s.exec(text) ?? [];
  if (model !== undefined) return ok({ kind: 'ollama', model });
  const [, url, name] = /^openai:([^#]+)#(.+)$/s.exec(text) ?? [];
  if (url !== undefined) return ok({ kind: 'openai', url, model: name });
  return readJson(text, `--embedder takes ${EMBEDDER_FORMS}`);
}

function readStore(text: string): Result<unknown, string> {
  if (text === 'embedded') return ok({ kind: text });
  const [, url] = /^qdrant:(.+)$/s.exec(text) ?? [];
  if (url !== undefined) return ok({ kind: 'qdrant', url });
  return readJson(text, `--store takes ${STORE_FORMS}`);
}

/** The part before the first `=` is the name of the root; a folder with `=` in its name is written as `./a=b`. */
function readRoot(text: string): CommonFlags['roots'][number] {
  const [, name, path] = /^([^\s=/\\:]+)=(.+)$/s.exec(text) ?? [];
  return name === undefined || name.startsWith('.') || path === undefined
    ? { path: text }
    : { name, path };
}

function readLanguageServers(given: readonly string[] | undefined): Result<unknown, string> {
  if (given === undefined) return ok(undefined);
  const matches = given.map((flag) => /^([A-Za-z+#]+)=(\S.*)$/s.exec(flag));
  if (matches.some((match) => match === null)) {
    return err(
      '--language-server takes LANGUAGE=COMMAND, such as "python=pyright-langserver --stdio"',
    );
  }
  return ok(
    Object.fromEntries(
      matches.map((match) => [match?.[1] ?? '', (match?.[2] ?? '').trim().split(/\s+/)]),
    ),
  );
}

function readJson(text: string, problem: string): Result<unknown, string> {
  const parsed = text.startsWith('{') ? parseJson(text, LIMITS) : undefined;
  return parsed?.ok === true && isObject(parsed.value) ? ok(parsed.value) : err(problem);
}
