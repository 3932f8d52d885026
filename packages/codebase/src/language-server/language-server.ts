// One language server as a process: opened with the root, asked one thing after another, ended when it is not used. Each question is
// bounded in time; an answer that does not come is a sentence on why.

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

type Waiting = (answer: Result<unknown, string>) => void;

export class LanguageServer {
  readonly #process: PipedProgram;
  readonly #reader = new FrameReader();
  readonly #waiting = new Map<number, Waiting>();
  readonly #clock: Clock;
  #number = 0;
  #endReason: string | undefined;

  private constructor({ program, args, root, clock }: LanguageServerStart) {
    this.#clock = clock;
    this.#process = startPiped({
      ...{ program, args, cwd: root },
      onOutput: (bytes) => this.#read(bytes),
      onEnd: (reason) => this.#end(reason),
    });
  }

  /** Ready to be asked. */
  static async open(
    start: LanguageServerStart,
    signal: AbortSignal,
  ): Promise<Result<LanguageServer, string>> {
    const server = new LanguageServer(start);
    const rootUri = pathToFileURL(start.root).href;
    const begun = await server.ask(
      'initialize',
      {
        processId: null,
        rootUri,
        workspaceFolders: [{ uri: rootUri, name: 'root' }],
        // The one for TypeScript would otherwise answer from a part of the project while it reads the whole.
        initializationOptions: { tsserver: { useSyntaxServer: 'never' } },
        capabilities: { textDocument: { references: {} }, workspace: { workspaceFolders: true } },
      },
      { ms: START_MS, signal },
    );
    if (!begun.ok) {
      await server.close();
      return begun;
    }
    server.tell('initialized', {});
    return ok(server);
  }

  get hasEnded(): boolean {
    return this.#endReason !== undefined;
  }

  tell(method: string, params: unknown): void {
    this.#process.write(frameOf({ method, params }));
  }

  async ask(
    method: string,
    params: unknown,
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<Result<unknown, string>> {
    if (this.#endReason !== undefined) return err(this.#endReason);
    this.#number += 1;
    const id = this.#number;
    using limit = deadline(ms, this.#clock, signal);
    const answer = new Promise<Result<unknown, string>>((resolve) => {
      this.#waiting.set(id, resolve);
      limit.signal.addEventListener('abort', () => resolve(err('it did not answer in time')));
    });
    this.#process.write(frameOf({ id, method, params }));
    const answered = await answer;
    this.#waiting.delete(id);
    signal.throwIfAborted();
    return answered;
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
      // It may ask for settings, of which there are none, and announce things, which are not needed.
      if (id !== undefined)
        this.#process.write(frameOf({ id, result: emptyAnswer(method, params) }));
      return;
    }
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    waiting?.(
      isObject(error) ? err(`it failed: ${String(error['message']).slice(0, 200)}`) : ok(result),
    );
  }

  #end(reason: string): void {
    this.#endReason ??= reason;
    for (const waiting of this.#waiting.values()) waiting(err(reason));
  }
}

const START_MS = 20_000;

function emptyAnswer(method: string, params: unknown): unknown {
  const items = isObject(params) ? params['items'] : undefined;
  return method === 'workspace/configuration' && Array.isArray(items)
    ? items.map(() => null)
    : null;
}
