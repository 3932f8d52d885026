// Cuts files in processes of their own. A file that costs a process is cut by lines; the process is replaced, and the
// other files do not notice.

import { type Clock, codeOf, never, systemClock } from '@plugboard/base';
import { SIDE_LOST, SidePool, spareCores } from '../platform/index.ts';
import type { ChunkedFile, FileToChunk } from './chunk.ts';
import type { ChunkJob } from './worker.ts';

export interface ChunkerSettings {
  /** How many threads at most; one less than there are cores by default. */
  readonly threads?: number;
  readonly clock?: Clock;
  /** What the threads run; tests have programs that fail. */
  readonly program?: URL;
  /** How long a thread may be at one file before it is given up. */
  readonly mostMsPerFile?: number;
}

// Node 20 cannot run TypeScript. `src` and `dist` lie side by side, so the way is the same from both.
const PROGRAM = new URL('../../dist/chunk/worker.js', import.meta.url);
const MOST_MS_PER_FILE = 20_000;
/** Grammars take tens of megabytes in each thread; idle ones are released. */
const IDLE_MS = 10_000;

export class Chunker {
  readonly #pool: SidePool<ChunkJob, ChunkedFile>;

  constructor(settings: ChunkerSettings = {}) {
    this.#pool = new SidePool({
      program: settings.program ?? PROGRAM,
      size: settings.threads ?? spareCores(),
      clock: settings.clock ?? systemClock,
      idleMs: IDLE_MS,
      mostMsPerJob: settings.mostMsPerFile ?? MOST_MS_PER_FILE,
    });
  }

  /** Rejects when `signal` gives up, and once the chunker is closed. */
  async chunk({ path, text }: FileToChunk, signal: AbortSignal = never): Promise<ChunkedFile> {
    try {
      return await this.#pool.run({ path, text, way: 'syntax' }, signal);
    } catch (thrown) {
      if (codeOf(thrown) !== SIDE_LOST) throw thrown;
      return this.#pool.run({ path, text, way: 'lines' }, signal);
    }
  }

  /** Ends all threads; files that are being cut are given up. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}
