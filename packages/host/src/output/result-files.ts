// The files of one host for results that are too large for a model, or that it cannot read. Only this user can read
// them; they are limited by a quota and removed after a day. A full disk is a result, not an exception.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, cutPoint, err, ok, type Result } from '@plugboard/base';
import { type PrivateFileProblem, sweepFolder, writePrivateFile } from '../platform/index.ts';
import { endingOf } from './media-type.ts';
import type { SavedFile } from './part.ts';

export interface FileQuota {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export const DEFAULT_QUOTA: FileQuota = { maxBytes: 1024 ** 3, maxFiles: 1000 };

const KEPT_MS = 24 * 60 * 60 * 1000;
/** The maximum over all hosts, far above the quota of one host. */
const MAX_KEPT_FILES = 20_000;
const PIECE = 1024 * 1024;
const ID = /^[0-9a-f]{16}$/;

export type SaveProblem = PrivateFileProblem | { readonly kind: 'quota' };

export class ResultFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #quota: FileQuota;
  readonly #saved = new Map<string, SavedFile>();
  /** Counted during writes, so that parallel writes stay within the quota. */
  #bytes = 0;
  #files = 0;
  #swept: Promise<void> | undefined;

  constructor(options: {
    readonly cache: string;
    readonly clock: Clock;
    readonly quota: FileQuota;
  }) {
    this.#folder = join(options.cache, 'results');
    this.#clock = options.clock;
    this.#quota = options.quota;
  }

  /** Finds a file by its id, or by its path exactly as in the note. */
  get(reference: string): SavedFile | undefined {
    return (
      this.#saved.get(reference) ?? [...this.#saved.values()].find(({ path }) => path === reference)
    );
  }

  /** Oldest first. */
  get all(): readonly SavedFile[] {
    return [...this.#saved.values()];
  }

  /** Takes over files that an earlier host wrote into the same folder. Ignores all other files. */
  adopt(files: readonly SavedFile[]): void {
    for (const { id, path, bytes, mimeType } of files) {
      const isResultFile = ID.test(id) && path === this.#pathOf(id, mimeType);
      if (isResultFile && !this.#saved.has(id)) this.#saved.set(id, { id, path, bytes, mimeType });
    }
  }

  async save(
    pieces: Iterable<string | Uint8Array>,
    mimeType: string,
  ): Promise<Result<SavedFile, SaveProblem>> {
    if (this.#files >= this.#quota.maxFiles) return err({ kind: 'quota' });
    this.#files += 1;
    this.#swept ??= sweepFolder(this.#folder, {
      now: this.#clock.now(),
      keptMs: KEPT_MS,
      maxFiles: MAX_KEPT_FILES,
    });
    await this.#swept;
    const id = randomBytes(8).toString('hex');
    const path = this.#pathOf(id, mimeType);
    let claimed = 0;
    const written = await writePrivateFile(path, pieces, (bytes) => {
      if (this.#bytes + bytes > this.#quota.maxBytes) return false;
      this.#bytes += bytes;
      claimed += bytes;
      return true;
    });
    if (!written.ok) {
      this.#files -= 1;
      this.#bytes -= claimed;
      return written;
    }
    const file: SavedFile = { id, path, bytes: written.value, mimeType };
    this.#saved.set(id, file);
    return ok(file);
  }

  #pathOf(id: string, mimeType: string): string {
    return join(this.#folder, `${id}.${endingOf(mimeType)}`);
  }
}

/** Splits a text into pieces, without splitting a character. */
export function* textInPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = from + PIECE;
    const to = end < text.length ? cutPoint(text, end) : end;
    yield text.slice(from, to);
    from = to;
  }
}

/** The reason of a problem, to follow the words "could not be saved". */
export function saveProblemWords(problem: SaveProblem): string {
  switch (problem.kind) {
    case 'quota':
    case 'too-large':
      return 'the quota for files of results is used up';
    case 'unwritable':
      return problem.code;
    default:
      return problem satisfies never;
  }
}
