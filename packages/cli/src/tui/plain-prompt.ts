// Draws the prompt until the drawing library is loaded, and erases it without a trace.

import { mostTextRows, promptLines } from './prompt/index.ts';
import type { Screen } from './state/index.ts';
import type { Theme } from './view/theme.ts';

export class PlainPrompt {
  readonly #write: (text: string) => void;
  readonly #theme: Theme;
  #rows = 0;

  constructor(write: (text: string) => void, theme: Theme) {
    this.#write = write;
    this.#theme = theme;
  }

  draw({ composer, columns, rows, model }: Screen): void {
    const look = { columns, theme: this.#theme, mostRows: mostTextRows(rows), model };
    const lines = promptLines(composer, look);
    this.#write(`${this.#eraseSequence()}${lines.join('\n')}\n`);
    this.#rows = lines.length;
  }

  erase(): void {
    this.#write(this.#eraseSequence());
    this.#rows = 0;
  }

  #eraseSequence(): string {
    return this.#rows === 0 ? '' : `\u001B[${this.#rows}A\r\u001B[J`;
  }
}
