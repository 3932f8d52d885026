// Stores which files the tools of a conversation changed, with their earlier contents: one line for each change, in a
// separate file next to the transcript. Going back to a turn restores the first content of each file since then.

import { isObject, parseJson } from '@plugboard/base';
import { digestOf, type FileBefore, type FileChange, readLines } from '../platform/index.ts';
import type { WaitingLines } from './waiting-lines.ts';

const MOST_BYTES = 512 * 1024 * 1024;
const LINE_LIMITS = { maxDepth: 5, maxLength: 16 * 1024 * 1024 };

export class FileChanges {
  readonly #path: string;
  readonly #lines: WaitingLines;

  constructor(path: string, lines: WaitingLines) {
    this.#path = path;
    this.#lines = lines;
  }

  add(turn: number, { path, before, after }: FileChange): void {
    const line = { turn, path, before: base64Of(before), after: digestOf(after) };
    this.#lines.add(`${JSON.stringify(line)}\n`);
  }

  /** The files that were changed in this turn or later. */
  async since(turn: number): Promise<readonly FileBefore[]> {
    await this.#lines.settled();
    const text = (await readLines(this.#path, MOST_BYTES)) ?? '';
    const files = new Map<string, FileBefore>();
    for (const line of text.split('\n')) {
      const read = parseChange(line);
      if (read === undefined || read.turn < turn) continue;
      const { path, left } = read;
      // The first change since the turn found the content from before it.
      const { before } = files.get(path) ?? read;
      files.set(path, { path, before, left });
    }
    return [...files.values()];
  }

  settled(): Promise<void> {
    return this.#lines.settled();
  }
}

function base64Of(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('base64');
}

function parseChange(line: string): (FileBefore & { readonly turn: number }) | undefined {
  const parsed = parseJson(line, LINE_LIMITS);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { turn, path, before, after } = parsed.value;
  if (typeof turn !== 'number' || typeof path !== 'string') return undefined;
  return {
    turn,
    path,
    before: typeof before === 'string' ? Buffer.from(before, 'base64') : undefined,
    left: typeof after === 'string' ? after : undefined,
  };
}
