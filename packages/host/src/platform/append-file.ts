// An append-only file of JSON lines with a size limit: a full file becomes the older of two, and replaces the
// older one before it. Documents are buffered for a moment and written together, so that no caller waits for
// the disk; if they come faster than they can be written, the oldest are dropped.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, codeOf } from '@plugboard/base';

export interface AppendFileOptions {
  readonly path: string;
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Called when the file cannot be written, once until it can be again. */
  readonly onUnwritable: (code: string) => void;
}

const BUFFER_MS = 1000;
/** How long a file that cannot be written is left alone: its disk may have room again by then. */
const REST_MS = 60_000;
/** The maximum number written at once: a program that sends thousands needs the processor for something else. */
const MAX_BUFFERED = 500;

/** The path of the older half of a file. */
export function olderOf(path: string): string {
  return `${path}.1`;
}

/** Whether the last line is incomplete, as after a crash or on a full disk: the next line must not be appended to it. */
export function endsInsideLine(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  } catch {
    // Missing or unreadable: appending to it will report that.
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export class AppendFile {
  readonly #options: AppendFileOptions;
  #buffer: object[] = [];
  #timer: Disposable | undefined;
  #writing: Promise<void> = Promise.resolve();
  #size: number | undefined;
  /** The elapsed time of the clock when writing first failed. */
  #unwritableSince: number | undefined;

  constructor(options: AppendFileOptions) {
    this.#options = options;
  }

  append(document: object): void {
    if (this.#isResting()) return;
    this.#buffer.push(document);
    if (this.#buffer.length > 2 * MAX_BUFFERED) this.#buffer = this.#buffer.slice(-MAX_BUFFERED);
    this.#timer ??= this.#options.clock.after(BUFFER_MS, () => void this.flush());
  }

  /** Writes what is buffered. Never rejects. */
  flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#buffer.length === 0 || this.#isResting()) return;
    const wasUnwritable = this.#unwritableSince !== undefined;
    const lines = this.#buffer.map((document) => `${JSON.stringify(document)}\n`);
    this.#buffer = [];
    const { path, maxBytes, clock, onUnwritable } = this.#options;
    const text = `${endsInsideLine(path) ? '\n' : ''}${lines.join('')}`;
    try {
      this.#size ??= await prepare(path);
      if (this.#size > 0 && this.#size + Buffer.byteLength(text) > maxBytes) {
        await rename(path, olderOf(path));
        this.#size = 0;
      }
      await appendFile(path, text, { mode: 0o600 });
      this.#size += Buffer.byteLength(text);
      this.#unwritableSince = undefined;
    } catch (thrown) {
      this.#unwritableSince = clock.elapsed();
      this.#size = undefined;
      if (!wasUnwritable) onUnwritable(codeOf(thrown) ?? 'UNKNOWN');
    }
  }

  #isResting(): boolean {
    const since = this.#unwritableSince;
    return since !== undefined && this.#options.clock.elapsed() - since < REST_MS;
  }
}

/** Creates the folder, and returns the size of the file. */
async function prepare(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return (await stat(path)).size;
  } catch {
    // Missing; if it is unreadable, appending will report that.
    return 0;
  }
}
