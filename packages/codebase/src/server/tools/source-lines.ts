// Reads the lines of files for an answer, each file once. A missing or too large file has no lines.

import type { Root } from '../../scan/index.ts';

const MOST_BYTES = 1024 * 1024;
const LONGEST_LINE = 200;

export class SourceLines {
  readonly #root: Pick<Root, 'readBytes'>;
  readonly #files = new Map<string, Promise<readonly string[]>>();

  constructor(root: Pick<Root, 'readBytes'>) {
    this.#root = root;
  }

  of(path: string): Promise<readonly string[]> {
    const known = this.#files.get(path) ?? this.#read(path);
    this.#files.set(path, known);
    return known;
  }

  /** One line without surrounding white space, cut if it is long. */
  async line(path: string, number: number): Promise<string> {
    const text = ((await this.of(path))[number - 1] ?? '').trim();
    return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
  }

  async #read(path: string): Promise<readonly string[]> {
    const read = await this.#root.readBytes(path, MOST_BYTES);
    return read.ok && read.value !== undefined ? read.value.toString('utf8').split(/\r?\n/) : [];
  }
}
