// Published servers as peers in tests, run from node_modules, with what they need: a root folder, a newer Node, a port.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError } from '@plugboard/base';
import { nodeWithSqlite } from './newer-node.ts';
import { type PeerStart, startPeer } from './peer-process.ts';
import type { StdioEntry } from './stdio-entry.ts';

export function everything(transport: 'stdio' | 'sse' | 'streamableHttp' = 'stdio'): StdioEntry {
  const program = programOf('@modelcontextprotocol/server-everything');
  return { command: process.execPath, args: [program, transport] };
}

export function filesystem(root: string): StdioEntry {
  const program = programOf('@modelcontextprotocol/server-filesystem');
  return { command: process.execPath, args: [program, root] };
}

export function memory(file: string): StdioEntry {
  const program = programOf('@modelcontextprotocol/server-memory');
  return { command: process.execPath, args: [program], env: { MEMORY_FILE_PATH: file } };
}

/** A port of the reference server for repositories from Python. */
export function git(): StdioEntry {
  return { command: process.execPath, args: [programOf('mcp-git')] };
}

/** A dual-era server over a sample database. Throws `no-suitable-node` if no Node is new enough. */
export function dbhub(): StdioEntry {
  const program = programOf('@bytebase/dbhub');
  return { command: nodeWithSqlite(), args: [program, '--transport', 'stdio', '--demo'] };
}

/** A dual-era server whose tools use a web service; here they use a port on which nothing listens. */
export function context7(): StdioEntry {
  const program = programOf('@upstash/context7-mcp');
  return { command: process.execPath, args: [program], env: CONTEXT7_ALONE };
}

/** A server of SDK 1.x whose tools drive a browser; here they find none. */
export function playwright(): StdioEntry {
  const program = programOf('@playwright/mcp');
  return { command: process.execPath, args: [program, ...NO_BROWSER] };
}

/** A server that supports only revision 2024-11-05. Its tools need the network. */
export function github(): StdioEntry {
  const program = programOf('@modelcontextprotocol/server-github');
  return { command: process.execPath, args: [program] };
}

export interface HttpPeerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Starts server-everything on Streamable HTTP; on the port given, as after a restart, or a free one. */
export function startEverythingHttp(options: { port?: number } = {}): Promise<HttpPeerProcess> {
  const entry = (port: number): StdioEntry => ({
    ...everything('streamableHttp'),
    env: { PORT: String(port) },
  });
  return startAt('/mcp', { entry, ready: /listening on port/, ...options });
}

/** Starts server-everything on HTTP+SSE. */
export function startEverythingSse(): Promise<HttpPeerProcess> {
  const entry = (port: number): StdioEntry => ({
    ...everything('sse'),
    env: { PORT: String(port) },
  });
  return startAt('/sse', { entry, ready: /running on port/ });
}

export function startDbhubHttp(): Promise<HttpPeerProcess> {
  const listening = (port: number): string[] => [
    ...['--transport', 'http', '--demo'],
    ...['--host', '127.0.0.1', '--port', String(port)],
  ];
  const entry = (port: number): StdioEntry => ({
    command: nodeWithSqlite(),
    args: [programOf('@bytebase/dbhub'), ...listening(port)],
  });
  return startAt('/mcp', { entry, ready: /HTTP server listening/ });
}

export function startContext7Http(): Promise<HttpPeerProcess> {
  const entry = (port: number): StdioEntry => {
    const { args, ...rest } = context7();
    return { ...rest, args: [...args, '--transport', 'http', '--port', String(port)] };
  };
  return startAt('/mcp', { entry, ready: /running on HTTP/ });
}

/** Starts the Playwright server, which has both HTTP transports on one port. */
export function startPlaywright(transport: 'http' | 'sse'): Promise<HttpPeerProcess> {
  const entry = (port: number): StdioEntry => {
    const { args, ...rest } = playwright();
    // Otherwise it would refuse requests under another name or port, such as through a proxy.
    const listening = ['--host', '127.0.0.1', '--port', String(port), '--allowed-hosts', '*'];
    return { ...rest, args: [...args, ...listening] };
  };
  return startAt(transport === 'http' ? '/mcp' : '/sse', { entry, ready: /Listening on/ });
}

/** Without telemetry, which would need a port, and without the network. */
const CONTEXT7_ALONE = {
  OTEL_SDK_DISABLED: 'true',
  CONTEXT7_API_URL: 'http://127.0.0.1:9/api',
  HTTPS_PROXY: '',
};
const NO_BROWSER = ['--headless', '--executable-path', '/no/such/browser'];

async function startAt(path: string, start: PeerStart): Promise<HttpPeerProcess> {
  const peer = await startPeer(start);
  return {
    url: `http://127.0.0.1:${peer.port}${path}`,
    pid: peer.pid,
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

/** The file that the package's only command runs. */
function programOf(packageName: string): string {
  const manifest = inNodeModules(`${packageName}/package.json`);
  if (manifest === undefined) {
    throw new CodedError('peer-not-installed', `${packageName} is not installed`, {
      data: { packageName },
    });
  }
  // npm accepts both forms.
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const [program = ''] = typeof bin === 'string' ? [bin] : Object.values(bin);
  return join(dirname(manifest), program);
}

/** Searches upwards like Node, but finds also files that the package's `exports` do not name. */
function inNodeModules(file: string): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(folder, 'node_modules', file);
    if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}
