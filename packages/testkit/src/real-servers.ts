// Published servers as peers in tests, run from node_modules. Whatever they need (a root folder, a
// newer Node, a port) is settled here.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError, codeOf } from '@plugboard/base';
import { nodeWithSqlite } from './newer-node.ts';
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

/** A dual-era server over a sample database. Throws `no-suitable-node` where no Node is new enough. */
export function dbhub(): StdioEntry {
  const program = programOf('@bytebase/dbhub');
  return { command: nodeWithSqlite(), args: [program, '--transport', 'stdio', '--demo'] };
}

export interface HttpPeerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Starts server-everything on a free port, in a process group of its own, and waits until it listens. */
export async function startEverythingHttp(): Promise<HttpPeerProcess> {
  const port = await freePort();
  const { command, args } = everything('streamableHttp');
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PORT: String(port) },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    await announced(child, /listening on port/);
  } catch (thrown) {
    killGroup(child);
    throw thrown;
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      killGroup(child);
      await ended;
    },
  };
}

/** Resolves when the process has said so on stderr, which it may then fill without being read. */
async function announced(child: ChildProcess, words: RegExp): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (): void =>
      reject(
        new CodedError('peer-did-not-start', `a peer ended at its start: ${said}`, { data: {} }),
      );
    child.once('error', reject);
    child.once('close', fail);
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (!words.test(said)) return;
      child.off('close', fail);
      resolve();
    });
  });
  child.stderr?.removeAllListeners('data').resume();
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (thrown) {
    // No such group: all of it has already ended.
    if (codeOf(thrown) !== 'ESRCH') throw thrown;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this shape.
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** The file that the package's only command runs. */
function programOf(packageName: string): string {
  const manifest = inNodeModules(`${packageName}/package.json`);
  if (manifest === undefined) {
    throw new CodedError('peer-not-installed', `${packageName} is not installed`, {
      data: { packageName },
    });
  }
  // npm has accepted both shapes since the field exists.
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const [program = ''] = typeof bin === 'string' ? [bin] : Object.values(bin);
  return join(dirname(manifest), program);
}

/** Looks upwards, as Node does, but for a file that the package's `exports` need not name. */
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
