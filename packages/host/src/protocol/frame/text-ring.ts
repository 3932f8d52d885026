// Keeps the last lines of an endless stream in limited memory, such as a server's stderr, which failures quote.

export class TextRing {
  readonly #maxLines: number;
  readonly #maxLineLength: number;
  #lines: string[] = [];
  #partial = '';

  constructor(limits: { readonly maxLines: number; readonly maxLineLength: number }) {
    this.#maxLines = limits.maxLines;
    this.#maxLineLength = limits.maxLineLength;
  }

  push(text: string): void {
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces.slice(-this.#maxLines - 1)) {
      this.#lines.push(this.#cut(this.#partial + piece));
      this.#partial = '';
    }
    this.#partial = this.#cut(this.#partial + last);
    if (this.#lines.length > this.#maxLines) this.#lines = this.#lines.slice(-this.#maxLines);
  }

  /** Oldest first, blank lines left out. */
  lines(): readonly string[] {
    return [...this.#lines, this.#partial]
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
      .slice(-this.#maxLines);
  }

  #cut(line: string): string {
    return line.length <= this.#maxLineLength ? line : line.slice(0, this.#maxLineLength);
  }
}
