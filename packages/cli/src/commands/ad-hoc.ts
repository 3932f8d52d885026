// A server that exists only for this run: `--url URL` or `--stdio 'COMMAND …'`. No other server is used in this run. The
// policies of the machine's owner still apply.

import { isUrl } from '@plugboard/base';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';
import { splitWords } from './split-words.ts';

export interface AdHocFlags {
  readonly url?: string;
  readonly stdio?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
}

export interface AdHocServer {
  /** A context in which the server is configured. */
  readonly context: Context;
  readonly server: string;
}

/** `undefined` without `--url` and `--stdio`. */
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
  // Loaded on demand, since most commands name a configured server.
  const { entryOf } = await import('./new-entry.ts');
  const started =
    url === undefined ? (await import('./paths-here.ts')).startedHere(target) : { target };
  const entry = entryOf({ transport, header, env, ...started });
  if (url !== undefined && 'command' in entry) {
    throw new UsageError(`"${url}" is not a URL`, 'write it like --url https://example.com/mcp');
  }
  const server = await adHocName(target);
  const named = {
    mcpConfig: [JSON.stringify({ mcpServers: { [server]: entry } })],
    mcpConfigCounts: 'only',
  } as const;
  return { context: { ...context, named, adHoc: typedAs(url), pins: 'off' }, server };
}

/** The server of the flags or of the argument, with the context in which it is configured. Without one, all servers. */
export async function selectServer(
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

/** Like `selectServer`, for a command that requires one server. */
export async function requireServer(
  context: Context,
  flags: AdHocFlags,
  named: string | undefined,
): Promise<AdHocServer> {
  const { server, ...selected } = await selectServer(context, flags, named);
  if (server !== undefined) return { ...selected, server };
  throw new UsageError('no server is named', 'give its name; see the list: plugboard list');
}

/** For advice, which must not repeat a secret: an address may contain one after `?`, and a command anywhere. */
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

/** Derived from the host of the URL, or from the program or package that the command runs. */
async function adHocName(target: readonly string[]): Promise<string> {
  const { checkName } = await import('@plugboard/host/configuration');
  const [first = ''] = target;
  const [runner = first] = target
    .filter((word) => !word.startsWith('-'))
    .slice(RUNNERS.test(first) ? 1 : 0);
  const shown = isUrl(first) ? new URL(first).hostname : packageOf(runner);
  const name = shown
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, '');
  // A reserved name would be refused.
  return checkName(name) === undefined ? name : `server-${name}`.replace(/-$/, '');
}

/** `server` for `@scope/server@1.2.0` and for `/usr/bin/server`. */
function packageOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? '').replace(/(?<=.)@.*$/, '');
}

const RUNNERS = /(?:^|[/\\])(?:npx|bunx|uvx|pnpm|node|python3?|deno|docker)$/;
