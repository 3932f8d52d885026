// Reads and searches what was left out of results, for programs whose models have no way to open a file.
// Only files of this host, and only so much at once.

import type { Clock } from '@plugboard/base';
import { textPieces } from '../platform/index.ts';
import { eachLine } from './each-line.ts';
import type { SavedFile } from './part.ts';
import type { ResultFiles } from './result-files.ts';
import { lineSearch } from './search-lines.ts';
import type { LineMatch } from './search-lines.ts';

/** By lines, counted from 1, or by characters, counted from 0. 20,000 characters unless given. */
export type ReadWish =
  | { readonly from?: number; readonly lines: number }
  | { readonly from?: number; readonly characters?: number };

export type ReadResult =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Where to go on, in the unit that was asked for. Absent at the end. */
      readonly next?: number;
    }
  | NotReadable;

export interface SearchWish {
  readonly pattern: string;
  /** `text`, unless given: the pattern as it stands. */
  readonly as?: 'text' | 'regex';
  /** Lines before and after each match: 2 unless given. */
  readonly context?: number;
  /** Matches at most: 50 unless given. */
  readonly most?: number;
}

export type SearchResult =
  | {
      readonly kind: 'matches';
      readonly matches: readonly LineMatch[];
      /** `more`: there may be others; the search was ended by its limits. */
      readonly end: 'all' | 'more';
    }
  /** No expression, or one that could take long. */
  | { readonly kind: 'bad-pattern' }
  | NotReadable;

export type NotReadable =
  | { readonly kind: 'unknown-id' }
  /** A binary: only its file has it. */
  | { readonly kind: 'binary'; readonly file: SavedFile }
  /** Swept, or removed by someone. */
  | { readonly kind: 'gone'; readonly file: SavedFile };

const DEFAULT_CHARACTERS = 20_000;
const MAX_CHARACTERS = 100_000;
const MAX_SEARCH_MS = 2000;
const MAX_CONTEXT = 20;
const MAX_MATCHES = 500;
const READABLE = /^text\/|json|xml$/;

export class Results {
  readonly #files: ResultFiles;
  readonly #clock: Clock;
  readonly #isTamePattern: (pattern: string) => boolean;

  constructor(
    files: ResultFiles,
    ports: { readonly clock: Clock; readonly isTamePattern: (pattern: string) => boolean },
  ) {
    this.#files = files;
    this.#clock = ports.clock;
    this.#isTamePattern = ports.isTamePattern;
  }

  /** What is known of a file. */
  get(id: string): SavedFile | undefined {
    return this.#files.get(id);
  }

  read(id: string, wish: ReadWish = {}): Promise<ReadResult> {
    return this.#open(id, (pieces) =>
      'lines' in wish
        ? readLines(pieces, Math.max(1, wish.from ?? 1), Math.max(0, wish.lines))
        : readCharacters(pieces, Math.max(0, wish.from ?? 0), wish.characters),
    );
  }

  async search(id: string, wish: SearchWish): Promise<SearchResult> {
    const { pattern, as = 'text', context = 2, most = 50 } = wish;
    const isUsable = pattern !== '' && (as === 'text' || this.#isTamePattern(pattern));
    const until = this.#clock.elapsed() + MAX_SEARCH_MS;
    const search = isUsable
      ? lineSearch({
          pattern,
          as,
          context: Math.min(MAX_CONTEXT, Math.max(0, context)),
          most: Math.min(MAX_MATCHES, Math.max(1, most)),
          isOver: () => this.#clock.elapsed() > until,
        })
      : undefined;
    if (search === undefined) return { kind: 'bad-pattern' };
    return this.#open(id, async (pieces) => ({ kind: 'matches', ...(await search(pieces)) }));
  }

  async #open<T>(
    id: string,
    use: (pieces: AsyncIterable<string>) => Promise<T>,
  ): Promise<T | NotReadable> {
    const file = this.#files.get(id);
    if (file === undefined) return { kind: 'unknown-id' };
    if (!READABLE.test(file.mimeType)) return { kind: 'binary', file };
    try {
      return await use(textPieces(file.path));
    } catch {
      // The only thing that can fail is reading, and then there is nothing to read.
      return { kind: 'gone', file };
    }
  }
}

async function readCharacters(
  pieces: AsyncIterable<string>,
  from: number,
  characters = DEFAULT_CHARACTERS,
): Promise<ReadResult> {
  const wanted = Math.min(MAX_CHARACTERS, Math.max(0, characters));
  let text = '';
  let passed = 0;
  for await (const piece of pieces) {
    const start = Math.max(0, from - passed);
    if (start < piece.length) text += piece.slice(start, start + wanted + 1 - text.length);
    passed += piece.length;
    if (text.length > wanted) {
      return { kind: 'text', text: text.slice(0, wanted), next: from + wanted };
    }
  }
  return { kind: 'text', text };
}

async function readLines(
  pieces: AsyncIterable<string>,
  from: number,
  lines: number,
): Promise<ReadResult> {
  const kept: string[] = [];
  let characters = 0;
  let number = 0;
  for await (const line of eachLine(pieces)) {
    number += 1;
    if (number < from) continue;
    const isFull =
      kept.length >= lines || (kept.length > 0 && characters + line.length > MAX_CHARACTERS);
    if (isFull) return { kind: 'text', text: kept.join('\n'), next: number };
    kept.push(line.slice(0, MAX_CHARACTERS));
    characters += line.length + 1;
  }
  return { kind: 'text', text: kept.join('\n') };
}
