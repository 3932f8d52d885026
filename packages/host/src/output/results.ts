// Reads and searches the complete text of cut results, for models that cannot open a file. Only files that this host
// wrote or took over, and a limited amount at once.

import { type Clock, never } from '@plugboard/base';
import { openPrivateText } from '../platform/index.ts';
import type { SavedFile } from './part.ts';
import { type From, type Place, readPage } from './read-page.ts';
import type { ResultFiles } from './result-files.ts';
import { type LineMatch, lineSearch } from './search-lines.ts';

export interface ReadWish {
  /** A line, counted from 1, or a character, counted from 0, such as `next` of the page before. The beginning by default. */
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
      /** In whole lines, unless one line does not fit. Without the last line break. */
      readonly text: string;
      readonly start: Place;
      /** Where the next page begins; absent at the end. */
      readonly next?: Place;
    }
  | NotReadable;

export interface SearchWish {
  readonly pattern: string;
  /** `text`, the default: the pattern is plain text. */
  readonly as?: 'text' | 'regex';
  /** `sensitive` by default. `smart`: case counts only if the pattern has a capital. */
  readonly case?: 'smart' | 'sensitive';
  /** Where to begin, such as `next` of the search before. */
  readonly from?: From;
  /** The number of lines before and after each match: 2 by default. */
  readonly context?: number;
  /** The maximum number of matches: 50 by default. */
  readonly most?: number;
  readonly signal?: AbortSignal;
}

export type SearchResult =
  | {
      readonly kind: 'matches';
      readonly matches: readonly LineMatch[];
      /** Where to continue if the limits ended the search; absent if everything was searched. */
      readonly next?: { readonly character: number };
    }
  /** The pattern is invalid, or could take long. */
  | { readonly kind: 'bad-pattern' }
  | NotReadable;

export type NotReadable =
  /** No result of this host has this id or path. */
  | { readonly kind: 'unknown' }
  /** A binary result, which is only in its file. */
  | { readonly kind: 'binary'; readonly file: SavedFile }
  /** The file was removed or replaced. */
  | { readonly kind: 'gone'; readonly file: SavedFile };

const DEFAULT_CHARACTERS = 20_000;
const MAX_CHARACTERS = 100_000;
const MAX_SEARCH_MS = 2000;
const MAX_CONTEXT = 20;
const MAX_MATCHES = 500;
const MAX_PATTERN = 1000;
const BEGINNING: From = { character: 0 };
/** Types that are never read as text, whatever their bytes are; SVG is text. */
const NO_TEXT = /^(?:image|audio|video)\/(?!svg)/;

export interface ReadingPorts {
  readonly clock: Clock;
  /** Whether a regular expression is safe to run. */
  readonly isTamePattern: (pattern: string) => boolean;
}

/** The results of one host, named by id or by the path of the file exactly as in the note. */
export class StoredResults {
  readonly #files: ResultFiles;
  readonly #ports: ReadingPorts;

  constructor(files: ResultFiles, ports: ReadingPorts) {
    this.#files = files;
    this.#ports = ports;
  }

  /** All readable results, oldest first. */
  get all(): readonly SavedFile[] {
    return this.#files.all;
  }

  get(reference: string): SavedFile | undefined {
    return this.#files.get(reference);
  }

  /** Takes over results of an earlier host, for a resumed conversation. */
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
      // Only reading can fail otherwise, and then the file is gone.
      return { kind: 'gone', file };
    }
  }
}

/** Of a `Place`, the character is used, which is more exact. */
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
