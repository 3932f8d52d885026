// Reads files for the index, in separate processes that end when there is nothing to read. A file that crashes its process
// is read once more and cut by lines; other files are not affected.

import { type Clock, codeOf } from '@plugboard/base';
import { processorCount, SIDE_LOST, SidePool } from '../platform/index.ts';
import type { IndexedChunk } from '../store/index.ts';
import type { FileRequest, ReadFile } from './read-for-index.ts';
import type { PackedFile, PackedResult, ReadingJob } from './reading-program.ts';

export interface FileReading {
  /** Reads what the index stores of a file. */
  read(request: FileRequest, signal: AbortSignal): Promise<ReadFile>;
}

// `src`, `dist` and `bundle` are siblings, so the path is the same from all.
const PROGRAM = new URL('../../bundle/program/reading-program.mjs', import.meta.url);
/** They run at low priority, so they may use all cores; each holds its own grammars. */
const MOST_PROCESSES = 4;
const IDLE_MS = 10_000;
const MOST_MS_PER_FILE = 20_000;

type ReadingPool = SidePool<ReadingJob, PackedResult>;

/** The processes that read files; several roots can share them. */
export function readingPool(clock: Clock): ReadingPool {
  return new SidePool({
    program: PROGRAM,
    size: Math.min(MOST_PROCESSES, processorCount()),
    clock,
    idleMs: IDLE_MS,
    mostMsPerJob: MOST_MS_PER_FILE,
  });
}

export class FileReader implements FileReading {
  readonly #root: string;
  readonly #pool: ReadingPool;

  constructor(root: { readonly path: string }, clock: Clock, pool = readingPool(clock)) {
    this.#root = root.path;
    this.#pool = pool;
  }

  async read(request: FileRequest, signal: AbortSignal): Promise<ReadFile> {
    const result = await this.#run(request, signal);
    if (result.kind !== 'put') return result;
    return { ...result, file: { ...result.file, chunks: result.file.chunks.map(withTerms) } };
  }

  /** Starts the processes ahead of the first file, which takes longer than reading it. */
  prepare(): void {
    this.#pool.prepare();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run(request: FileRequest, signal: AbortSignal): Promise<PackedResult> {
    const root = this.#root;
    try {
      return await this.#pool.run({ ...request, root, way: 'syntax' }, signal);
    } catch (thrown) {
      if (codeOf(thrown) !== SIDE_LOST) throw thrown;
      return this.#pool.run({ ...request, root, way: 'lines' }, signal);
    }
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
