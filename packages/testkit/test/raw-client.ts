// A minimal client that exchanges lines with a process. It shares no code with the clients that the scripted servers test.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { codeOf } from '@plugboard/base';
import type { StdioEntry } from '../src/stdio-entry.ts';
import { waitUntil } from '../src/wait-until.ts';

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class RawClient implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  stderr = '';
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  #nextId = 1;

  constructor(entry: StdioEntry, options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
    this.process = spawn(entry.command, entry.args, {
      detached: true,
      stdio: 'pipe',
      cwd: options.cwd,
      env: options.env ?? { ...process.env, ...entry.env },
    });
    createInterface({ input: this.process.stdout! }).on('line', (line) => this.lines.push(line));
    this.process.stderr!.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString('utf8');
    });
    // Writing to a server that has crashed fails; the tests look at how it ended instead.
    this.process.stdin!.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.process.on('close', (code, signal) => resolve({ code, signal }));
    });
  }

  get pid(): number {
    return this.process.pid!;
  }

  get messages(): Message[] {
    return this.lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as Message];
      } catch {
        // Some scripts write stray lines.
        return [];
      }
    });
  }

  /** Sends without waiting; returns the id. */
  send(method: string, params: object = {}): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#write({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  notify(method: string, params: object = {}): void {
    this.#write({ jsonrpc: '2.0', method, params });
  }

  answerTo(id: number): Promise<Message> {
    return waitUntil(() => this.messages.find((message) => message.id === id), {
      describe: () => `an answer to ${id}; lines: ${this.lines.join(' | ')}; ${this.stderr}`,
    });
  }

  request(method: string, params: object = {}): Promise<Message> {
    return this.answerTo(this.send(method, params));
  }

  call(name: string, args: object = {}, meta: object = {}): Promise<Message> {
    return this.request('tools/call', { name, arguments: args, _meta: meta });
  }

  #write(message: object): void {
    this.process.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (thrown) {
      if (codeOf(thrown) !== 'ESRCH') throw thrown;
    }
    await this.ended;
  }
}
