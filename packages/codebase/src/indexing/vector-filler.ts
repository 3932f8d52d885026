// Gives chunks their vectors: with a fast embedder, those of files that are just being read, at once; all others in the
// background, the most useful first. Signatures are not stored, so for the background they are read from the files
// again.

import { type Clock, delay, messageOf } from '@plugboard/base';
import type { Embedder } from '../embed/index.ts';
import type { ChunkVector, MissingVector, Store } from '../store/index.ts';
import type { FileIntake } from './file-intake.ts';
import type { FileReading } from './file-reader.ts';

export interface FillerParts {
  readonly reader: FileReading;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Goes first, and reads files again that are no longer cut as the index has them. */
  readonly intake: FileIntake;
  readonly onProgress: () => void;
  readonly onProblem: (message: string) => void;
}

/** Signatures that are asked for at a time, and embedded at a time. */
const ASKED = 512;
const EMBEDDED = 64;
/** How long an embedder that failed is left alone. */
const RETRY_MS = 30_000;
/** How often a signature is looked for in its file. */
const MOST_TRIES = 3;

export class VectorFiller {
  readonly #parts: FillerParts;
  /** How often signatures were looked for and not found. */
  readonly #tries = new Map<string, number>();
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

  /** Of files that were just read, which nothing more urgent waits for. */
  async take(signatures: ReadonlyMap<string, string>): Promise<void> {
    const { signal, onProblem } = this.#parts;
    try {
      if (signatures.size > 0) await this.#embedSome([...signatures]);
    } catch (thrown) {
      // They are missing from now on, and found in the background.
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
        // Rejects only when it is closed.
        await delay(RETRY_MS, clock, signal).catch(() => undefined);
      }
    }
  }

  /** Whether there may be more. */
  async #fillSome(): Promise<boolean> {
    const { store, embedder, intake } = this.#parts;
    await intake.idle();
    this.#isPoked = false;
    const asked = await store.missingVectors(embedder.id, ASKED + this.#tries.size);
    const missing = asked.filter(({ signatureHash }) => this.#triesOf(signatureHash) < MOST_TRIES);
    if (missing.length === 0) {
      if (asked.length === 0) this.#tries.clear();
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
    for (let from = 0; from < texts.length && !signal.aborted; from += EMBEDDED) {
      await intake.idle();
      await this.#embedSome(texts.slice(from, from + EMBEDDED));
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
