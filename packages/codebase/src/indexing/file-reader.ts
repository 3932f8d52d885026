// Reads files for the index, in separate processes that end when there is nothing to read. A file that crashes its process
// is read once more and cut by lines; other files are not affected.

import type { Clock } from '@plugboard/base';
import { CUTTING, syntaxOrLines } from '../chunk/index.ts';
import { processorCount, SidePool } from '../platform/index.ts';
import type { IndexedChunk } from '../store/index.ts';
import type { FileRequest, ReadFile } from './read-for-index.ts';
import type { PackedFile, PackedResult, ReadingJob } from './reading-program.ts';

// `src`, `dist` and `bundle` are siblings, so the path is the same from all.
const PROGRAM = new URL('../../bundle/program/reading-program.mjs', import.meta.url);
/** They run at low priority, so they may use all cores; each holds its own grammars. */
const MOST_PROCESSES = 4;

export type ReadingPool = SidePool<ReadingJob, PackedResult>;

/** The processes that read files; all roots share them. */
export function readingPool(clock: Clock): ReadingPool {
  return new SidePool({
    program: PROGRAM,
    size: Math.min(MOST_PROCESSES, processorCount()),
    clock,
    ...CUTTING,
  });
}

export class FileReader {
  readonly #root: string;
  readonly #pool: ReadingPool;

  constructor(root: { readonly path: string }, pool: ReadingPool) {
    this.#root = root.path;
    this.#pool = pool;
  }

  /** Reads what the index stores of a file. */
  async read(request: FileRequest, signal: AbortSignal): Promise<ReadFile> {
    const job = { ...request, root: this.#root };
    const result = await syntaxOrLines((way) => this.#pool.run({ ...job, way }, signal));
    if (result.kind !== 'put') return result;
    return { ...result, file: { ...result.file, chunks: result.file.chunks.map(withTerms) } };
  }

  /** Starts the processes ahead of the first file, which takes longer than reading it. */
  prepare(): void {
    this.#pool.prepare();
  }
}

/** Terms are split on access: many files wait in memory until then, and one string takes less than a list. */
function withTerms({ terms, ...chunk }: PackedFile['chunks'][number]): IndexedChunk {
  return {
    ...chunk,
    get terms() {
      return terms === '' ? [] : terms.split(' ');
    },
  };
}
