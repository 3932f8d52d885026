// What a process has printed beside messages, in limited memory: the last lines of its stderr, and how many lines of its
// stdout were no message. Failures quote it.

import type { ProcessEvidence } from '../neutral/failure.ts';

const MAX_LINES = 100;
const MAX_LINE_LENGTH = 2000;
export const SHOWN_LINE_LENGTH = 200;

export class OutputEvidence {
  #lines: string[] = [];
  #partial = '';
  #strayLines = 0;
  #lastStrayLine: string | undefined;

  /** Continues what another host has seen. */
  restore({ stderr, strayLines, lastStrayLine }: ProcessEvidence): void {
    for (const line of stderr) this.addStderr(`${line}\n`);
    this.#strayLines = strayLines;
    this.#lastStrayLine = lastStrayLine;
  }

  addStderr(text: string): void {
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces.slice(-MAX_LINES - 1)) {
      this.#lines.push((this.#partial + piece).slice(0, MAX_LINE_LENGTH));
      this.#partial = '';
    }
    this.#partial = (this.#partial + last).slice(0, MAX_LINE_LENGTH);
    if (this.#lines.length > MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES);
  }

  addStray(line: string): void {
    this.#strayLines += 1;
    this.#lastStrayLine = line.slice(0, SHOWN_LINE_LENGTH);
  }

  /** The lines of stderr oldest first, blank lines left out. */
  get all(): ProcessEvidence {
    const stderr = [...this.#lines, this.#partial]
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
      .slice(-MAX_LINES);
    return { stderr, strayLines: this.#strayLines, lastStrayLine: this.#lastStrayLine };
  }
}
