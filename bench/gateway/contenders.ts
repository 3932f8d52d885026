// The compared programs, which answer MCP over HTTP, each in its own process.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeUnderTest } from '../node-under-test.ts';
import { fastEchoServer, inBench } from '../places.ts';
import type { Era, Target } from './mcp-posts.ts';

interface Program {
  readonly args: (port: number, token: string) => readonly string[];
  /** Its token, if it requires one. */
  readonly isGuarded?: boolean;
}

const PROGRAMS = {
  gateway: {
    args: (port, token) => [inBench('servers/plugboard-gateway.js'), String(port), token],
    isGuarded: true,
  },
  'mcp-proxy': {
    args: (port) => [
      inBench('node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs'),
      ...['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'],
      ...['--', nodeUnderTest().path, fastEchoServer],
    ],
  },
  supergateway: {
    args: (port) => [
      inBench('node_modules/supergateway/dist/index.js'),
      ...['--stdio', `"${nodeUnderTest().path}" "${fastEchoServer}"`],
      ...['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'],
      ...['--port', String(port)],
    ],
  },
  'SDK server': { args: (port) => [inBench('servers/sdk-http.js'), String(port)] },
  'bare relay': { args: (port) => [inBench('servers/bare-relay.js'), String(port)] },
  'node:http': { args: (port) => [inBench('servers/bare-http.js'), String(port)] },
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;

const STARTED_WITHIN_MS = 30_000;

export class RunningProgram implements AsyncDisposable {
  readonly name: ProgramName;
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #token: string | undefined;

  private constructor(
    name: ProgramName,
    child: ChildProcess,
    at: { readonly port: number; readonly token: string | undefined },
  ) {
    this.name = name;
    this.#child = child;
    this.#port = at.port;
    this.#token = at.token;
  }

  static async start(name: ProgramName, env: NodeJS.ProcessEnv): Promise<RunningProgram> {
    const { args, isGuarded = false }: Program = PROGRAMS[name];
    const port = await freePort();
    const token = randomBytes(24).toString('base64url');
    const child = spawn(nodeUnderTest().path, args(port, token), {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await untilItListens(name, child, port);
    return new RunningProgram(name, child, { port, token: isGuarded ? token : undefined });
  }

  target(era: Era, path = '/mcp', tool = 'echo'): Target {
    return { era, path, tool, port: this.#port, token: this.#token };
  }

  /** Processor time of its threads in microseconds; 0 if unknown. */
  get processorTime(): number {
    if (process.platform !== 'linux') return 0;
    const folder = `/proc/${this.#child.pid}/task`;
    return readdirSync(folder).reduce((sum, task) => {
      const [nanoseconds] = readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / 1000;
    }, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill();
    await exited;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilItListens(name: string, child: ChildProcess, port: number): Promise<void> {
  for (const startedAt = performance.now(); ;) {
    if (child.exitCode !== null) throw new Error(`${name} ended by itself`);
    if (await isListening(port)) return;
    if (performance.now() - startedAt > STARTED_WITHIN_MS) throw new Error(`${name} is silent`);
    await sleep(50);
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
