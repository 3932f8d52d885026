// One language server as a process that is opened with the root. Each request has a time limit; a failure is a sentence
// that states the reason.

import { pathToFileURL } from 'node:url';
import { type Clock, deadline, err, isObject, ok, type Result } from '@plugboard/base';
import { type PipedProgram, startPiped } from '../platform/index.ts';
import { FrameReader, frameOf, type Message } from './message-frames.ts';

export interface LanguageServerStart {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  readonly root: string;
  readonly clock: Clock;
}

type Settle = (answer: Result<unknown, string>) => void;

export class LanguageServer {
  readonly #process: PipedProgram;
  readonly #reader = new FrameReader();
  readonly #pending = new Map<number, Settle>();
  readonly #clock: Clock;
  #lastId = 0;
  #endReason: string | undefined;

  private constructor({ program, args, root, clock }: LanguageServerStart) {
    this.#clock = clock;
    this.#process = startPiped({
      ...{ program, args, cwd: root },
      onOutput: (bytes) => this.#read(bytes),
      onEnd: (reason) => this.#end(reason),
    });
  }

  /** Starts the server and initializes it. */
  static async open(
    start: LanguageServerStart,
    signal: AbortSignal,
  ): Promise<Result<LanguageServer, string>> {
    const server = new LanguageServer(start);
    const rootUri = pathToFileURL(start.root).href;
    const initialized = await server.request(
      'initialize',
      {
        processId: null,
        rootUri,
        workspaceFolders: [{ uri: rootUri, name: 'root' }],
        // Otherwise the server for TypeScript answers from a part of the project while it reads the whole.
        initializationOptions: { tsserver: { useSyntaxServer: 'never' } },
        capabilities: { textDocument: { references: {} }, workspace: { workspaceFolders: true } },
      },
      { ms: START_MS, signal },
    );
    if (!initialized.ok) {
      await server.close();
      return initialized;
    }
    server.notify('initialized', {});
    return ok(server);
  }

  get hasEnded(): boolean {
    return this.#endReason !== undefined;
  }

  notify(method: string, params: unknown): void {
    this.#process.write(frameOf({ method, params }));
  }

  async request(
    method: string,
    params: unknown,
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<Result<unknown, string>> {
    if (this.#endReason !== undefined) return err(this.#endReason);
    this.#lastId += 1;
    const id = this.#lastId;
    using limit = deadline(ms, this.#clock, signal);
    const answer = new Promise<Result<unknown, string>>((resolve) => {
      this.#pending.set(id, resolve);
      limit.signal.addEventListener('abort', () => resolve(err('it did not answer in time')));
    });
    this.#process.write(frameOf({ id, method, params }));
    const result = await answer;
    this.#pending.delete(id);
    signal.throwIfAborted();
    return result;
  }

  async close(): Promise<void> {
    this.#end('it was closed');
    await this.#process.stop();
  }

  #read(bytes: Buffer): void {
    const messages = this.#reader.take(bytes);
    if (messages === undefined) {
      this.#end('what it says is not the language server protocol');
      void this.#process.stop();
      return;
    }
    for (const message of messages) this.#take(message);
  }

  #take(message: Message): void {
    const { id, method, params, result, error } = message;
    if (typeof method === 'string') {
      // Requests for settings get empty answers; notifications are ignored.
      if (id !== undefined)
        this.#process.write(frameOf({ id, result: emptyAnswer(method, params) }));
      return;
    }
    const settle = typeof id === 'number' ? this.#pending.get(id) : undefined;
    settle?.(
      isObject(error) ? err(`it failed: ${String(error['message']).slice(0, 200)}`) : ok(result),
    );
  }

  #end(reason: string): void {
    this.#endReason ??= reason;
    for (const settle of this.#pending.values()) settle(err(reason));
  }
}

const START_MS = 20_000;

function emptyAnswer(method: string, params: unknown): unknown {
  const items = isObject(params) ? params['items'] : undefined;
  return method === 'workspace/configuration' && Array.isArray(items)
    ? items.map(() => null)
    : null;
}
