// Reads and searches what was left out of results, for models that have no way to open a file. Only files that this host
// wrote or took over, and only so much at once.

import { type Clock, never } from '@plugboard/base';
import { openPrivateText } from '../platform/index.ts';
import type { SavedFile } from './part.ts';
import { type From, type Place, readPage } from './read-page.ts';
import type { ResultFiles } from './result-files.ts';
import { type LineMatch, lineSearch } from './search-lines.ts';

export interface ReadWish {
  /** A line, counted from 1, or a character, counted from 0; `next` of the page before. The beginning by default. */
  readonly from?: From;
  /** The maximum number of lines. */
  readonly lines?: number;
  /** The maximum number of characters: 20,000 by default, and never more than 100,000. */
  readonly characters?: number;
  readonly signal?: AbortSignal;
}

export type ReadResult =
  | {
      readonly kind: 'text';
      /** In whole lines, unless one line is more than fits. Without the end of its last line. */
      readonly text: string;
      readonly start: Place;
      /** Where to go on; absent at the end. */
      readonly next?: Place;
    }
  | NotReadable;

export interface SearchWish {
  readonly pattern: string;
  /** `text`, by default: the pattern as it stands. */
  readonly as?: 'text' | 'regex';
  /** `sensitive`, by default. `smart`: case counts where the pattern has a capital. */
  readonly case?: 'smart' | 'sensitive';
  /** Where to begin; `next` of the search before. */
  readonly from?: From;
  /** Lines before and after each match: 2 by default. */
  readonly context?: number;
  /** Matches at most: 50 by default. */
  readonly most?: number;
  readonly signal?: AbortSignal;
}

export type SearchResult =
  | {
      readonly kind: 'matches';
      readonly matches: readonly LineMatch[];
      /** Where to go on, if the limits ended the search; absent where all of it was searched. */
      readonly next?: { readonly character: number };
    }
  /** No expression, or one that could take long. */
  | { readonly kind: 'bad-pattern' }
  | NotReadable;

export type NotReadable =
  /** No result of this host has this id or lies at this path. */
  | { readonly kind: 'unknown' }
  /** A binary: only its file has it. */
  | { readonly kind: 'binary'; readonly file: SavedFile }
  /** Swept or removed, or something else lies in its place. */
  | { readonly kind: 'gone'; readonly file: SavedFile };

const DEFAULT_CHARACTERS = 20_000;
const MAX_CHARACTERS = 100_000;
const MAX_SEARCH_MS = 2000;
const MAX_CONTEXT = 20;
const MAX_MATCHES = 500;
const MAX_PATTERN = 1000;
const BEGINNING: From = { character: 0 };
/** Whatever their bytes look like; drawings are text. */
const NO_TEXT = /^(?:image|audio|video)\/(?!svg)/;

export interface ReadingPorts {
  readonly clock: Clock;
  /** Whether a regular expression is safe to run. */
  readonly isTamePattern: (pattern: string) => boolean;
}

/** A result is named by its id, or by the path of its file exactly as the note has it. */
export class StoredResults {
  readonly #files: ResultFiles;
  readonly #ports: ReadingPorts;

  constructor(files: ResultFiles, ports: ReadingPorts) {
    this.#files = files;
    this.#ports = ports;
  }

  /** All that can be read, the oldest first. */
  get all(): readonly SavedFile[] {
    return this.#files.all;
  }

  get(reference: string): SavedFile | undefined {
    return this.#files.get(reference);
  }

  /** Lets results be read that an earlier host wrote, for a conversation that goes on. */
  adopt(files: readonly SavedFile[]): void {
    this.#files.adopt(files);
  }

  read(reference: string, wish: ReadWish = {}): Promise<ReadResult> {
    const { from = BEGINNING, lines, characters = DEFAULT_CHARACTERS, signal = never } = wish;
    const page = {
      from: atLeast(from),
      lines: lines === undefined ? undefined : Math.max(1, lines),
      characters: Math.min(MAX_CHARACTERS, Math.max(1, characters)),
    };
    return this.#open(reference, signal, async (pieces) => ({
      kind: 'text',
      ...(await readPage(pieces, page)),
    }));
  }

  async search(reference: string, wish: SearchWish): Promise<SearchResult> {
    const { pattern, as = 'text', context = 2, most = 50, from = BEGINNING } = wish;
    const { clock, isTamePattern } = this.#ports;
    const isUsable = pattern !== '' && pattern.length <= MAX_PATTERN;
    if (!isUsable || (as === 'regex' && !isTamePattern(pattern))) return { kind: 'bad-pattern' };
    const until = clock.elapsed() + MAX_SEARCH_MS;
    const search = lineSearch({
      ...{ pattern, as, case: wish.case ?? 'sensitive', from: atLeast(from) },
      context: Math.min(MAX_CONTEXT, Math.max(0, context)),
      most: Math.min(MAX_MATCHES, Math.max(1, most)),
      isOver: () => clock.elapsed() > until,
    });
    if (search === undefined) return { kind: 'bad-pattern' };
    return this.#open(reference, wish.signal ?? never, async (pieces) => ({
      kind: 'matches',
      ...(await search(pieces)),
    }));
  }

  async #open<T>(
    reference: string,
    signal: AbortSignal,
    use: (pieces: AsyncIterable<string>) => Promise<T>,
  ): Promise<T | NotReadable> {
    const file = this.#files.get(reference);
    if (file === undefined) return { kind: 'unknown' };
    if (NO_TEXT.test(file.mimeType)) return { kind: 'binary', file };
    const opened = await openPrivateText(file.path, file.bytes);
    if (opened.kind !== 'text') return { kind: opened.kind, file };
    try {
      return await use(untilAborted(opened.pieces, signal));
    } catch {
      signal.throwIfAborted();
      // The only other thing that can fail is reading, and then there is nothing to read.
      return { kind: 'gone', file };
    }
  }
}

/** Of a place, the character counts, which says more. */
function atLeast(from: From): From {
  return 'character' in from
    ? { character: Math.max(0, from.character) }
    : { line: Math.max(1, from.line) };
}

async function* untilAborted(
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}
