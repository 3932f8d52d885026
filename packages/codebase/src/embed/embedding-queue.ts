// What waits to be embedded, and what goes next: questions first, then documents in the order they came, in batches
// of about the same length. One batch is one step, so that between two of them a question can overtake and a job can
// be given up.

import { messageOf } from '@plugboard/base';
import type { Engine } from './engine.ts';
import { poolRow } from './pooling.ts';
import { batchesOf } from './token-batches.ts';
import type { Tokenizer } from './tokenizer.ts';

export type Purpose = 'query' | 'document';

export interface Job {
  readonly id: number;
  readonly purpose: Purpose;
  readonly texts: readonly string[];
}

export type SettledJob =
  /** All vectors of the job, one after the other. */
  | { readonly kind: 'done'; readonly id: number; readonly vectors: Float32Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

interface OpenJob {
  readonly job: Job;
  readonly vectors: Float32Array<ArrayBuffer>;
  /** The first text that is in no batch yet. */
  next: number;
  left: number;
}

interface Item {
  readonly open: OpenJob;
  readonly index: number;
  readonly ids: Int32Array;
}

export interface QueueOptions {
  readonly engine: Engine;
  readonly tokenizer: Tokenizer;
  readonly dimensions: number;
  readonly maxTokens: Readonly<Record<Purpose, number>>;
}

/** So many documents are taken apart and sorted at a time: enough to pair lengths, and done in milliseconds. */
const WINDOW = 256;

export class EmbeddingQueue {
  readonly #options: QueueOptions;
  readonly #open = new Map<number, OpenJob>();
  /** Planned and not run yet, by purpose. */
  readonly #batches: Record<Purpose, (readonly Item[])[]> = { query: [], document: [] };

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Whether there is nothing to do. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  add(job: Job): void {
    const vectors = new Float32Array(job.texts.length * this.#options.dimensions);
    this.#open.set(job.id, { job, vectors, next: 0, left: job.texts.length });
  }

  /** Stops work on this job and reports nothing more about it. */
  cancel(id: number): void {
    this.#open.delete(id);
  }

  /** Runs one batch, and answers with the jobs that are settled by it. */
  async step(): Promise<readonly SettledJob[]> {
    const batch = this.#take('query') ?? this.#take('document');
    if (batch === undefined) return this.#settleEmpty();
    try {
      const states = await this.#options.engine.run(batch.map(({ ids }) => ids));
      const { dimensions } = this.#options;
      batch.forEach(({ open, index, ids }, row) => {
        const vector = poolRow(states, row, { tokens: ids.length, dimensions });
        open.vectors.set(vector, index * dimensions);
        open.left -= 1;
      });
    } catch (thrown) {
      return this.#fail(batch, messageOf(thrown));
    }
    return this.#settleEmpty();
  }

  /** The next batch without what was given up since it was planned. */
  #take(purpose: Purpose): readonly Item[] | undefined {
    const planned = this.#batches[purpose];
    if (planned.length === 0) planned.push(...batchesOf(this.#window(purpose)));
    for (let batch = planned.shift(); batch !== undefined; batch = planned.shift()) {
      const wanted = batch.filter(({ open }) => this.#open.has(open.job.id));
      if (wanted.length > 0) return wanted;
      if (planned.length === 0) planned.push(...batchesOf(this.#window(purpose)));
    }
    return undefined;
  }

  #window(purpose: Purpose): readonly Item[] {
    const { tokenizer, maxTokens } = this.#options;
    const items: Item[] = [];
    for (const open of this.#open.values()) {
      if (open.job.purpose !== purpose) continue;
      const { texts } = open.job;
      for (; open.next < texts.length && items.length < WINDOW; open.next += 1) {
        const ids = tokenizer.encode(texts[open.next] ?? '', maxTokens[purpose]);
        items.push({ open, index: open.next, ids });
      }
      if (items.length === WINDOW) break;
    }
    return items;
  }

  #settleEmpty(): readonly SettledJob[] {
    const settled: SettledJob[] = [];
    for (const [id, { left, vectors }] of this.#open) {
      if (left > 0) continue;
      this.#open.delete(id);
      settled.push({ kind: 'done', id, vectors });
    }
    return settled;
  }

  #fail(batch: readonly Item[], message: string): readonly SettledJob[] {
    const ids = new Set(batch.map(({ open }) => open.job.id));
    for (const id of ids) this.#open.delete(id);
    return [...ids].map((id) => ({ kind: 'failed', id, message }));
  }
}
