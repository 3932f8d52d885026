// Reads files for the index, in processes beside ours that end when there is nothing to read. A file that costs a
// process is read once more and cut by lines; the others do not notice.

import { type Clock, codeOf } from '@plugboard/base';
import { processorCount, SIDE_LOST, SidePool } from '../platform/index.ts';
import type { IndexedChunk } from '../store/index.ts';
import type { FileRequest, ReadFile } from './read-for-index.ts';
import type { HandedFile, HandedOver, ReadingJob } from './reading-program.ts';

export interface FileReading {
  /** What the index takes of a file. */
  read(request: FileRequest, signal: AbortSignal): Promise<ReadFile>;
}

// `src` and `dist` lie side by side, so the way out and back in is the same from both.
const PROGRAM = new URL('../../dist/indexing/reading-program.js', import.meta.url);
/** They run at low priority, so that all cores may be taken; each holds its grammars. */
const MOST_PROCESSES = 4;
const IDLE_MS = 10_000;
const MOST_MS_PER_FILE = 20_000;

type ReadingPool = SidePool<ReadingJob, HandedOver>;

/** The processes that read, which several roots may share. */
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
    const handed = await this.#run(request, signal);
    if (handed.kind !== 'put') return handed;
    return { ...handed, file: { ...handed.file, chunks: handed.file.chunks.map(withTerms) } };
  }

  /** Files will come soon: starting processes takes longer than reading the first of them. */
  prepare(): void {
    this.#pool.prepare();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run(request: FileRequest, signal: AbortSignal): Promise<HandedOver> {
    const root = this.#root;
    try {
      return await this.#pool.run({ ...request, root, way: 'syntax' }, signal);
    } catch (thrown) {
      if (codeOf(thrown) !== SIDE_LOST) throw thrown;
      return this.#pool.run({ ...request, root, way: 'lines' }, signal);
    }
  }
}

/** Its terms are taken apart when they are asked for: until then many files wait, and one text is less than a list. */
function withTerms({ terms, ...chunk }: HandedFile['chunks'][number]): IndexedChunk {
  return {
    ...chunk,
    get terms() {
      return terms === '' ? [] : terms.split(' ');
    },
  };
}
