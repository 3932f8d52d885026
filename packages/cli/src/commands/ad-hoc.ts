// A server named on the command line for this run only: `--url URL` or `--stdio 'COMMAND …'`. It is in no file, and no
// other server is used meanwhile. The policies of the machine's owner still apply.

import { isUrl } from '@plugboard/base';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';
import { entryOf } from './new-entry.ts';
import { splitWords } from './split-words.ts';

export interface AdHocFlags {
  readonly url?: string;
  readonly stdio?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
}

export interface AdHocServer {
  /** In which the server is configured. */
  readonly context: Context;
  readonly server: string;
}

/** `undefined` if a configured server is meant. */
export async function adHocServer(
  context: Context,
  flags: AdHocFlags,
): Promise<AdHocServer | undefined> {
  const { url, stdio, header = [], env = [] } = flags;
  if (url === undefined && stdio === undefined) {
    if (header.length === 0 && env.length === 0) return undefined;
    throw new UsageError(
      '--header and --env work only with --url or --stdio',
      'add --url or --stdio; for a configured server, change its entry',
    );
  }
  if (url !== undefined && stdio !== undefined) {
    throw new UsageError('--url and --stdio cannot be combined', 'give one of them');
  }
  const target = url === undefined ? commandWords(stdio ?? '') : [url];
  const transport = url === undefined ? 'stdio' : undefined;
  // Most commands name a configured server, and need not load what this takes.
  const started =
    url === undefined ? (await import('./paths-here.ts')).startedHere(target) : { target };
  const entry = entryOf({ transport, header, env, ...started });
  if (url !== undefined && 'command' in entry) {
    throw new UsageError(`"${url}" is not a URL`, 'write it like --url https://example.com/mcp');
  }
  const server = adHocName(target);
  const named = {
    mcpConfig: [JSON.stringify({ mcpServers: { [server]: entry } })],
    mcpConfigCounts: 'only',
  } as const;
  return { context: { ...context, named, adHoc: typedAs(url), pins: 'off' }, server };
}

/** The server that is meant, and the context in which it is configured; none if all servers are meant. */
export async function meantServer(
  context: Context,
  flags: AdHocFlags,
  named: string | undefined,
): Promise<{ readonly context: Context; readonly server: string | undefined }> {
  const adHoc = await adHocServer(context, flags);
  if (adHoc === undefined) return { context, server: named };
  if (named === undefined) return adHoc;
  throw new UsageError(
    `"${named}" and --${flags.url === undefined ? 'stdio' : 'url'} both name a server`,
    'give one of them',
  );
}

/** Of a command that is about one server. */
export async function oneServer(
  context: Context,
  flags: AdHocFlags,
  named: string | undefined,
): Promise<AdHocServer> {
  const { server, ...meant } = await meantServer(context, flags, named);
  if (server !== undefined) return { ...meant, server };
  throw new UsageError('no server is named', 'give its name; see the list: plugboard list');
}

/** In advice, which repeats no secret: an address may hold one behind `?`, and a command anywhere. */
function typedAs(url: string | undefined): string {
  if (url === undefined) return "--stdio '…'";
  const { search, username, password } = new URL(url);
  return `--url ${[search, username, password].every((part) => part === '') ? url : 'URL'}`;
}

function commandWords(stdio: string): readonly string[] {
  const words = splitWords(stdio);
  if (words !== undefined && words.length > 0) return words;
  throw new UsageError(
    words === undefined ? 'a quote in --stdio is not closed' : '--stdio names no command',
    `write it like --stdio 'npx -y @modelcontextprotocol/server-everything'`,
  );
}

const MAX_NAME = 64;

/** The host of the address, or the last word of the command that could be the name of a program. */
function adHocName(target: readonly string[]): string {
  const [first = ''] = target;
  const [runner = first] = target
    .filter((word) => !word.startsWith('-'))
    .slice(RUNNERS.test(first) ? 1 : 0);
  const shown = isUrl(first) ? new URL(first).hostname : packageOf(runner);
  const name = shown
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, '');
  // One that is reserved would be refused.
  return name === '' || RESERVED.has(name) ? `server-${name}`.replace(/-$/, '') : name;
}

/** `server` of `@scope/server@1.2.0` and of `/usr/bin/server`. */
function packageOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? '').replace(/(?<=.)@.*$/, '');
}

const RUNNERS = /(?:^|[/\\])(?:npx|bunx|uvx|pnpm|node|python3?|deno|docker)$/;
const RESERVED = new Set(['codebase', 'workspace']);
