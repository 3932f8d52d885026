// Lines on their way to a file, in order. If they cannot be written, as on a full disk, they wait and are tried again
// with the next line, so that nothing is missing once there is room.

export interface WaitingLinesPorts {
  /** Makes the file, where it is new. Gives the code of what went wrong, as `append` does. */
  readonly begin: (() => Promise<string | undefined>) | undefined;
  readonly append: (lines: string) => Promise<string | undefined>;
  /** Called once, and again after lines could be written in between. */
  readonly onUnwritable: (code: string) => void;
}

export class WaitingLines {
  readonly #ports: WaitingLinesPorts;
  readonly #lines: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  #isBegun: boolean;
  #isTold = false;
  /** A try that failed may have written the half of a line. */
  #isTorn = false;

  constructor(ports: WaitingLinesPorts) {
    this.#ports = ports;
    this.#isBegun = ports.begin === undefined;
  }

  add(lines: string): void {
    this.#lines.push(lines);
    this.#try();
  }

  /** When all is written, or cannot be. What waits is tried once more. */
  async settled(): Promise<void> {
    await this.#writing;
    if (this.#lines.length > 0) this.#try();
    await this.#writing;
  }

  #try(): void {
    this.#writing = this.#writing.then(() => this.#write());
  }

  /** One by one: if several were written at once to a full disk, it would be unknown how many were stored. */
  async #write(): Promise<void> {
    for (let line = this.#lines[0]; line !== undefined; line = this.#lines[0]) {
      const code = await this.#put(line);
      if (code !== undefined) {
        if (!this.#isTold) this.#ports.onUnwritable(code);
        this.#isTold = true;
        return;
      }
      this.#lines.shift();
      this.#isTold = false;
    }
  }

  /** The code of what went wrong, or nothing. */
  async #put(line: string): Promise<string | undefined> {
    const { begin, append } = this.#ports;
    if (!this.#isBegun) {
      const code = await begin?.();
      if (code !== undefined) return code;
      this.#isBegun = true;
    }
    const code = await append(this.#isTorn ? `\n${line}` : line);
    this.#isTorn = code !== undefined;
    return code;
  }
}
