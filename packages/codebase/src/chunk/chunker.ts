// Cuts files in separate processes. A file that crashes its process is cut by lines instead; the process is replaced, and
// other files are not affected.

import { type Clock, codeOf, never, systemClock } from '@plugboard/base';
import { SIDE_LOST, SidePool, spareCores } from '../platform/index.ts';
import type { ChunkedFile, FileToChunk } from './chunk.ts';
import type { Way } from './chunk-text.ts';
import type { ChunkJob } from './worker.ts';

export interface ChunkerSettings {
  /** The most processes; by default one less than there are cores. */
  readonly threads?: number;
  readonly clock?: Clock;
  /** The program of the processes; tests use one that fails. */
  readonly program?: URL;
  /** How long a process may take for one file before it is stopped. */
  readonly mostMsPerFile?: number;
}

// Node 20 cannot run TypeScript. `src`, `dist` and `bundle` are siblings, so the path is the same from all.
const PROGRAM = new URL('../../bundle/program/chunk-worker.mjs', import.meta.url);
/** Of every pool that cuts files. Grammars take tens of megabytes in each process, so idle ones are ended. */
export const CUTTING = { idleMs: 10_000, mostMsPerJob: 20_000 } as const;

export class Chunker {
  readonly #pool: SidePool<ChunkJob, ChunkedFile>;

  constructor(settings: ChunkerSettings = {}) {
    this.#pool = new SidePool({
      program: settings.program ?? PROGRAM,
      size: settings.threads ?? spareCores(),
      clock: settings.clock ?? systemClock,
      ...CUTTING,
      ...(settings.mostMsPerFile !== undefined && { mostMsPerJob: settings.mostMsPerFile }),
    });
  }

  /** Rejects when `signal` aborts, and after the chunker is closed. */
  async chunk({ path, text }: FileToChunk, signal: AbortSignal = never): Promise<ChunkedFile> {
    return syntaxOrLines((way) => this.#pool.run({ path, text, way }, signal));
  }

  /** Ends all processes, and abandons the files that they are cutting. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** Cuts by lines if cutting along the syntax has ended the process. */
export async function syntaxOrLines<Cut>(cut: (way: Way) => Promise<Cut>): Promise<Cut> {
  try {
    return await cut('syntax');
  } catch (thrown) {
    if (codeOf(thrown) !== SIDE_LOST) throw thrown;
    return cut('lines');
  }
}
