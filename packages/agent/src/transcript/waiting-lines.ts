// Writes lines to a file in order. Lines that cannot be written, as on a full disk, are kept and retried with the next
// line, so that nothing is missing once there is room.

import { appendLines, beginLines } from '../platform/index.ts';

export interface WaitingLinesOptions {
  /** Created with a new file. */
  readonly folder: string;
  readonly path: string;
  readonly state: 'new' | 'existing';
  /** Called at the first failure after a success. */
  readonly onUnwritable: ((path: string, code: string) => void) | undefined;
}

export class WaitingLines {
  readonly #options: WaitingLinesOptions;
  readonly #lines: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  #isBegun: boolean;
  #isReported = false;
  /** A failed attempt may have written a part of a line. */
  #isTorn = false;

  constructor(options: WaitingLinesOptions) {
    this.#options = options;
    this.#isBegun = options.state === 'existing';
  }

  add(lines: string): void {
    this.#lines.push(lines);
    this.#schedule();
  }

  /** Retries lines that are left, and resolves when they are written or cannot be. */
  async settled(): Promise<void> {
    await this.#writing;
    if (this.#lines.length > 0) this.#schedule();
    await this.#writing;
  }

  #schedule(): void {
    this.#writing = this.#writing.then(() => this.#write());
  }

  /** One by one: if writing several at once failed, it would be unknown how many were stored. */
  async #write(): Promise<void> {
    for (let line = this.#lines[0]; line !== undefined; line = this.#lines[0]) {
      const code = await this.#put(line);
      if (code !== undefined) {
        if (!this.#isReported) this.#options.onUnwritable?.(this.#options.path, code);
        this.#isReported = true;
        return;
      }
      this.#lines.shift();
      this.#isReported = false;
    }
  }

  /** Returns the error code of a failure. */
  async #put(line: string): Promise<string | undefined> {
    const { folder, path } = this.#options;
    if (!this.#isBegun) {
      const code = await beginLines(folder, path);
      if (code !== undefined) return code;
      this.#isBegun = true;
    }
    const code = await appendLines(path, this.#isTorn ? `\n${line}` : line);
    this.#isTorn = code !== undefined;
    return code;
  }
}
