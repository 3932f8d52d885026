// The files of one host in which results lie that are too large for a model, or that it could not read.
// They are for this user alone, within a quota, and gone after a day. A disk that is full is an answer
// here, never a failed call.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, err, ok, type Result } from '@plugboard/base';
import { type PrivateFileProblem, sweepFolder, writePrivateFile } from '../platform/index.ts';
import { endingOf } from './media-type.ts';
import type { SavedFile } from './part.ts';

export interface FileQuota {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export const DEFAULT_QUOTA: FileQuota = { maxBytes: 1024 ** 3, maxFiles: 1000 };

const KEPT_MS = 24 * 60 * 60 * 1000;
/** Of all hosts together; their quotas end before. */
const MAX_KEPT_FILES = 20_000;
const PIECE = 1024 * 1024;
const ID = /^[0-9a-f]{16}$/;

export type SaveProblem = PrivateFileProblem | { readonly kind: 'quota' };

export class ResultFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #quota: FileQuota;
  readonly #saved = new Map<string, SavedFile>();
  /** Counted as they are written, so that several at once stay within the quota. */
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

  /** By its id, or by its path exactly as the note has it. */
  get(reference: string): SavedFile | undefined {
    return (
      this.#saved.get(reference) ?? [...this.#saved.values()].find(({ path }) => path === reference)
    );
  }

  /** The oldest first. */
  get all(): readonly SavedFile[] {
    return [...this.#saved.values()];
  }

  /** Takes over files that an earlier host wrote into the same folder. Whatever could not be one of them is left. */
  adopt(files: readonly SavedFile[]): void {
    for (const { id, path, bytes, mimeType } of files) {
      const isOne = ID.test(id) && path === this.#pathOf(id, mimeType);
      if (isOne && !this.#saved.has(id)) this.#saved.set(id, { id, path, bytes, mimeType });
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

/** A text in pieces, none of which ends in the middle of a character. */
export function* textInPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = from + PIECE;
    const isWithin = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');
    const to = isWithin ? end - 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}

/** Why something is in no file, in words that read on after "could not be saved". */
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
