// Reads typed or piped input. `terminal.ts` loads this file when a command first asks, and passes the streams. The
// terminal is always restored, and an input that stays open does not keep the command running.

import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { abortable, CodedError, decodeUtf8 } from '@plugboard/base';

export interface AskOptions {
  readonly hidden?: true;
  readonly signal?: AbortSignal;
  /** Ctrl-C withdraws only the question. By default, it ends the command. */
  readonly onCtrlC?: 'withdraw';
}

export interface InputStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly interrupted: AbortSignal;
  /** The person pressed Ctrl-C. */
  readonly interrupt: () => void;
}

const MAX_BYTES = 1024 * 1024;
const LINE_END = 0x0a;

export class StreamInput {
  readonly #streams: InputStreams;
  /** Piped input that was read, but not requested yet. */
  #rest: Buffer = Buffer.alloc(0);
  #chunks: AsyncIterator<Buffer> | undefined;
  #pending: Promise<IteratorResult<Buffer>> | undefined;
  /** Lines that were typed before they were requested. */
  readonly #typedAhead: string[] = [];

  constructor(streams: InputStreams) {
    this.#streams = streams;
  }

  async ask(question: string, options: AskOptions = {}): Promise<string | undefined> {
    const { stdin, stderr, interrupted } = this.#streams;
    const { signal, onCtrlC } = options;
    const stop = signal === undefined ? interrupted : AbortSignal.any([interrupted, signal]);
    if (stdin.isTTY) {
      const ctrlC = onCtrlC === 'withdraw' ? () => {} : this.#streams.interrupt;
      return options.hidden === true
        ? this.#askHidden(question, stop, ctrlC)
        : this.#askOpenly(question, stop, ctrlC);
    }
    stderr.write(question);
    const line = await this.#pipedLine(stop);
    // With piped input, no Enter key ends the line of the question.
    if (question !== '') stderr.write('\n');
    return line;
  }

  async readAll(): Promise<string> {
    const bytes: Buffer[] = [this.#rest];
    let size = this.#rest.length;
    this.#rest = Buffer.alloc(0);
    for (;;) {
      const chunk = await this.#nextChunk(this.#streams.interrupted);
      if (this.#streams.interrupted.aborted) throw interruptedError();
      if (chunk === undefined) return decodeText(Buffer.concat(bytes));
      bytes.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) throw this.#tooLong();
    }
  }

  async #askOpenly(
    question: string,
    stop: AbortSignal,
    ctrlC: () => void,
  ): Promise<string | undefined> {
    const { stdin, stderr } = this.#streams;
    const ahead = this.#typedAhead.shift();
    if (ahead !== undefined) {
      stderr.write(`${question}${ahead}\n`);
      return ahead;
    }
    const reader = createInterface({ input: stdin, output: stderr, historySize: 0 });
    reader.setPrompt(question);
    reader.prompt();
    const typed = await this.#readTyped(reader, stop, ctrlC);
    if (typed === undefined) stderr.write('\n');
    else this.#typedAhead.push(...typed.lines.slice(1));
    return typed?.lines[0];
  }

  async #askHidden(
    question: string,
    stop: AbortSignal,
    ctrlC: () => void,
  ): Promise<string | undefined> {
    const { stdin, stderr } = this.#streams;
    const reader = createInterface({
      input: stdin,
      output: discard(),
      terminal: true,
      historySize: 0,
    });
    // Written only now: once the question is visible, typed text must not be echoed.
    stderr.write(question);
    const typed = await this.#readTyped(reader, stop, ctrlC);
    stderr.write('\n');
    if (typed === undefined) return undefined;
    return [...typed.lines, ...(typed.begun === '' ? [] : [typed.begun])].join('\n');
  }

  /** The lines that come at once, and the beginning of the next. `undefined` if the person stops. */
  async #readTyped(
    reader: Interface,
    stop: AbortSignal,
    ctrlC: () => void,
  ): Promise<{ readonly lines: readonly string[]; readonly begun: string } | undefined> {
    const lines: string[] = [];
    let end = (): void => {};
    try {
      await new Promise<void>((resolve) => {
        end = resolve;
        // The lines of a pasted text all come in one turn.
        reader.on('line', (line) => {
          lines.push(line);
          queueMicrotask(resolve);
        });
        for (const event of ['close', 'error']) reader.once(event, resolve);
        reader.once('SIGINT', () => {
          ctrlC();
          resolve();
        });
        stop.addEventListener('abort', end, { once: true });
        if (stop.aborted) resolve();
      });
      return lines.length === 0 ? undefined : { lines, begun: reader.line };
    } finally {
      stop.removeEventListener('abort', end);
      reader.close();
    }
  }

  async #pipedLine(stop: AbortSignal): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf(LINE_END);
      if (end !== -1) return this.#take(end, end + 1, stop);
      const chunk = await this.#nextChunk(stop);
      // The last line may have no line break.
      if (chunk === undefined) return this.#take(this.#rest.length, this.#rest.length, stop);
      this.#rest = Buffer.concat([this.#rest, chunk]);
      if (this.#rest.length > MAX_BYTES) throw this.#tooLong();
    }
  }

  #take(end: number, next: number, stop: AbortSignal): string | undefined {
    if (next === 0 || stop.aborted) return undefined;
    const line = decodeText(this.#rest.subarray(0, end)).replace(/\r$/, '');
    this.#rest = this.#rest.subarray(next);
    return line;
  }

  /** `undefined` at the end of the input, and if the person stops. */
  async #nextChunk(stop: AbortSignal): Promise<Buffer | undefined> {
    const { stdin } = this.#streams;
    if (stop.aborted) return undefined;
    this.#chunks ??= stdin.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    const handle = stdin as Partial<Pick<NodeJS.ReadStream, 'ref' | 'unref'>>;
    try {
      // A file has no handle.
      handle.ref?.();
      // A cancelled read is still pending, and serves the next question.
      this.#pending ??= this.#chunks.next();
      const next = await abortable(this.#pending, stop);
      this.#pending = undefined;
      return next.done === true ? undefined : next.value;
    } catch (thrown) {
      if (stop.aborted) return undefined;
      this.#pending = undefined;
      throw thrown;
    } finally {
      handle.unref?.();
    }
  }

  #tooLong(): CodedError {
    this.#streams.stdin.destroy();
    return new CodedError('input-too-long', `more than ${MAX_BYTES} bytes were piped in`, {
      data: { limit: MAX_BYTES },
    });
  }
}

/** Hides the text that readline echoes. */
function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function decodeText(bytes: Buffer): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  // The message does not quote the input, which may be a secret.
  throw new CodedError('input-not-text', 'the input is not UTF-8 text', { data: {} });
}

function interruptedError(): CodedError {
  return new CodedError('input-interrupted', 'interrupted while reading', { data: {} });
}
