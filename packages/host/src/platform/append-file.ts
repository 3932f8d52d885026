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

const WAIT_MS = 1000;
/** A file that cannot be written is left alone for so long: its disk may have room again by then. */
const REST_MS = 60_000;
/** How many are written per second; a program that sends thousands has better use for the processor. */
const MAX_WAITING = 500;

/** Where the older half of a file is. */
export function olderOf(path: string): string {
  return `${path}.1`;
}

/** Whether its last line is cut off, as by a full disk or a crash: what comes next must not be glued to it. */
export function endsInsideLine(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  } catch {
    // There is none, or it cannot be read: appending to it says so.
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export class AppendFile {
  readonly #options: AppendFileOptions;
  #waiting: object[] = [];
  #timer: Disposable | undefined;
  #writing: Promise<void> = Promise.resolve();
  #size: number | undefined;
  /** Since when it cannot be written, on the clock's elapsed time. */
  #unwritableSince: number | undefined;

  constructor(options: AppendFileOptions) {
    this.#options = options;
  }

  append(document: object): void {
    if (this.#isResting()) return;
    this.#waiting.push(document);
    if (this.#waiting.length > 2 * MAX_WAITING) this.#waiting = this.#waiting.slice(-MAX_WAITING);
    this.#timer ??= this.#options.clock.after(WAIT_MS, () => void this.flush());
  }

  /** Writes what waits. Never rejects. */
  flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0 || this.#isResting()) return;
    const wasUnwritable = this.#unwritableSince !== undefined;
    const lines = this.#waiting.map((document) => `${JSON.stringify(document)}\n`);
    this.#waiting = [];
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

/** Makes the folder, and says how large the file is already. */
async function prepare(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return (await stat(path)).size;
  } catch {
    // Not there yet; if it is hidden from us, appending says so.
    return 0;
  }
}
