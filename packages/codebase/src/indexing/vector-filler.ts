// Computes the vectors of chunks: with a fast embedder, those of files being read at once; all others in the background,
// the most useful first. Signatures are not stored, so background work reads them from the files again.

import { type Clock, delay, messageOf } from '@plugboard/base';
import type { Embedder } from '../embed/index.ts';
import type { ChunkVector, MissingVector, Store } from '../store/index.ts';
import type { FileIntake } from './file-intake.ts';
import type { FileReader } from './file-reader.ts';

export interface FillerParts {
  readonly reader: Pick<FileReader, 'read'>;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Has priority, and reads files again whose chunks no longer match the index. */
  readonly intake: FileIntake;
  readonly onProgress: () => void;
  readonly onProblem: (message: string) => void;
}

/** How many missing vectors are looked up at a time, and how many signatures are embedded at a time. */
const LOOKUP_SIZE = 512;
const EMBED_SIZE = 64;
/** How long to wait after the embedder failed. */
const RETRY_MS = 30_000;
/** How often a signature is searched for in its file. */
const MOST_TRIES = 3;

export class VectorFiller {
  readonly #parts: FillerParts;
  /** How often each signature was not found. */
  readonly #tries = new Map<string, number>();
  #running: Promise<void> | undefined;
  #isPoked = false;

  constructor(parts: FillerParts) {
    this.#parts = parts;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Starts the background work, or continues it, since there may be missing vectors. */
  poke(): void {
    this.#isPoked = true;
    if (this.#running !== undefined || this.#parts.signal.aborted) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#parts.onProgress();
    });
  }

  /** Embeds the signatures of files that were just read. */
  async take(signatures: ReadonlyMap<string, string>): Promise<void> {
    const { signal, onProblem } = this.#parts;
    try {
      if (signatures.size > 0) await this.#embedSome([...signatures]);
    } catch (thrown) {
      // They are now missing, and the background work finds them.
      if (!signal.aborted) onProblem(`vectors wait: ${messageOf(thrown)}`);
    }
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    const { signal, clock, onProblem } = this.#parts;
    while (!signal.aborted) {
      try {
        if (!(await this.#fillSome())) return;
      } catch (thrown) {
        if (signal.aborted) return;
        onProblem(`vectors wait: ${messageOf(thrown)}`);
        // Rejects only when the indexer is closed.
        await delay(RETRY_MS, clock, signal).catch(() => undefined);
      }
    }
  }

  /** Returns whether there may be more to do. */
  async #fillSome(): Promise<boolean> {
    const { store, embedder, intake } = this.#parts;
    await intake.idle();
    this.#isPoked = false;
    const found = await store.missingVectors(embedder.id, LOOKUP_SIZE + this.#tries.size);
    const missing = found.filter(({ signatureHash }) => this.#triesOf(signatureHash) < MOST_TRIES);
    if (missing.length === 0) {
      if (found.length === 0) this.#tries.clear();
      return this.#isPoked;
    }
    const texts = await this.#textsOf(missing);
    await this.#embed([...texts]);
    const lost = missing.filter(({ signatureHash }) => !texts.has(signatureHash));
    for (const { signatureHash } of lost) {
      this.#tries.set(signatureHash, this.#triesOf(signatureHash) + 1);
    }
    if (lost.length > 0) intake.readAgain(new Set(lost.map(({ path }) => path)));
    return true;
  }

  #triesOf(signatureHash: string): number {
    return this.#tries.get(signatureHash) ?? 0;
  }

  async #textsOf(missing: readonly MissingVector[]): Promise<ReadonlyMap<string, string>> {
    const { reader, signal } = this.#parts;
    const wanted = new Set(missing.map(({ signatureHash }) => signatureHash));
    const paths = [...new Set(missing.map(({ path }) => path))];
    const texts = new Map<string, string>();
    const read = async (path: string): Promise<void> => {
      const request = { path, knownHash: undefined, wants: 'signatures' } as const;
      const file = await reader.read(request, signal);
      if (file.kind !== 'put') return;
      for (const [hash, text] of file.signatures) if (wanted.has(hash)) texts.set(hash, text);
    };
    await Promise.all(paths.map(read));
    return texts;
  }

  async #embed(texts: readonly SignedText[]): Promise<void> {
    const { signal, intake } = this.#parts;
    for (let from = 0; from < texts.length && !signal.aborted; from += EMBED_SIZE) {
      await intake.idle();
      await this.#embedSome(texts.slice(from, from + EMBED_SIZE));
    }
  }

  async #embedSome(some: readonly SignedText[]): Promise<void> {
    const { store, embedder, signal, onProgress } = this.#parts;
    const texts = some.map(([, text]) => text);
    const vectors = await embedder.embedDocuments(texts, signal);
    const given = some.flatMap(([signatureHash], number): ChunkVector[] => {
      const vector = vectors[number];
      return vector === undefined ? [] : [{ signatureHash, vector }];
    });
    await store.putVectors(embedder.id, given);
    onProgress();
  }
}

type SignedText = readonly [hash: string, text: string];
