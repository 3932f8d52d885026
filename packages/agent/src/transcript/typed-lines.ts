// The history of what the user typed in a folder, oldest first. Failing to read or write the file does not keep the
// user from typing.

import { join } from 'node:path';
import { appendLines, beginLines, readLines, removeLines } from '../platform/index.ts';
import { hideSecrets } from './hide-secrets.ts';
import { folderName } from './folder-name.ts';

export interface TypedLinesOptions {
  /** The user's state folder: `paths.state` of the host's environment. */
  readonly state: string;
  readonly folder: string;
}

const MOST_LINES = 500;
const MOST_BYTES = 4 * 1024 * 1024;
const LONGEST = 20_000;

export class TypedLines {
  readonly #folder: string;
  readonly #path: string;
  #lines: readonly string[] = [];
  #written = 0;

  private constructor({ state, folder }: TypedLinesOptions) {
    this.#folder = join(state, 'conversations', folderName(folder));
    this.#path = join(this.#folder, 'typed.lines');
  }

  static async open(options: TypedLinesOptions): Promise<TypedLines> {
    const opened = new TypedLines(options);
    const text = await readLines(opened.#path, MOST_BYTES);
    const all = (text ?? '').split('\n').flatMap(parseTypedLine);
    opened.#lines = all.slice(-MOST_LINES);
    opened.#written = all.length;
    return opened;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  async add(line: string): Promise<void> {
    if (line === '' || line === this.#lines.at(-1)) return;
    this.#lines = [...this.#lines, line].slice(-MOST_LINES);
    // The file is much longer than necessary, so it is rewritten with the current lines.
    if (this.#written > 2 * MOST_LINES) {
      await removeLines(this.#path);
      await this.#write(this.#lines);
      this.#written = this.#lines.length;
      return;
    }
    await this.#write([line]);
    this.#written += 1;
  }

  async #write(lines: readonly string[]): Promise<void> {
    await beginLines(this.#folder, this.#path);
    const kept = lines.map((line) => JSON.stringify(hideSecrets(line.slice(0, LONGEST))));
    await appendLines(this.#path, `${kept.join('\n')}\n`);
  }
}

function parseTypedLine(text: string): readonly string[] {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'string' && line !== '' ? [line] : [];
  } catch {
    // Incomplete after a crash, or foreign.
    return [];
  }
}
