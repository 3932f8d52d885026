// Gives chunks their vectors, in the background and the most useful first. Signatures are not kept anywhere: they are
// read from the files again, which costs little beside the embedding.

import { type Clock, delay, messageOf } from '@plugboard/base';
import type { Embedder } from '../embed/index.ts';
import type { ChunkVector, MissingVector, Store } from '../store/index.ts';
import type { FileReading } from './file-reader.ts';

export interface FillerParts {
  readonly reader: FileReading;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Resolves when nothing more urgent is going on. */
  readonly turn: () => Promise<void>;
  readonly onProgress: () => void;
  readonly onProblem: (message: string) => void;
}

/** Signatures that are asked for at a time, and embedded at a time. */
const ASKED = 512;
const EMBEDDED = 64;
/** How long an embedder that failed is left alone. */
const RETRY_MS = 30_000;

export class VectorFiller {
  readonly #parts: FillerParts;
  /** Those that no file gives any more: the index is about to hear of it. */
  readonly #lost = new Set<string>();
  #running: Promise<void> | undefined;
  #isPoked = false;

  constructor(parts: FillerParts) {
    this.#parts = parts;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** There may be something to do. */
  poke(): void {
    this.#isPoked = true;
    if (this.#running !== undefined || this.#parts.signal.aborted) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#parts.onProgress();
    });
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
        // Rejects only when it is closed.
        await delay(RETRY_MS, clock, signal).catch(() => undefined);
      }
    }
  }

  /** Whether there may be more. */
  async #fillSome(): Promise<boolean> {
    const { store, embedder, turn } = this.#parts;
    await turn();
    if (this.#isPoked) this.#lost.clear();
    this.#isPoked = false;
    const asked = await store.missingVectors(embedder.id, ASKED + this.#lost.size);
    const missing = asked.filter(({ signatureHash }) => !this.#lost.has(signatureHash));
    if (missing.length === 0) return this.#isPoked;
    const texts = await this.#textsOf(missing);
    for (const { signatureHash } of missing) {
      if (!texts.has(signatureHash)) this.#lost.add(signatureHash);
    }
    await this.#embed([...texts]);
    return true;
  }

  async #textsOf(missing: readonly MissingVector[]): Promise<ReadonlyMap<string, string>> {
    const { reader, signal } = this.#parts;
    const wanted = new Set(missing.map(({ signatureHash }) => signatureHash));
    const paths = [...new Set(missing.map(({ path }) => path))];
    const read = await Promise.all(paths.map((path) => reader.signatures(path, signal)));
    const texts = new Map<string, string>();
    for (const [hash, text] of read.flatMap((one) => [...one])) {
      if (wanted.has(hash)) texts.set(hash, text);
    }
    return texts;
  }

  async #embed(texts: readonly (readonly [hash: string, text: string])[]): Promise<void> {
    const { store, embedder, signal, turn, onProgress } = this.#parts;
    for (let from = 0; from < texts.length && !signal.aborted; from += EMBEDDED) {
      await turn();
      const some = texts.slice(from, from + EMBEDDED);
      const vectors = await embedder.embedDocuments(
        some.map(([, text]) => text),
        signal,
      );
      const given = some.flatMap(([signatureHash], number): ChunkVector[] => {
        const vector = vectors[number];
        return vector === undefined ? [] : [{ signatureHash, vector }];
      });
      await store.putVectors(embedder.id, given);
      onProgress();
    }
  }
}
