// The embedder that needs no server: a table of token vectors. To embed a text, the vectors of its tokens are looked up
// and added, which takes some microseconds, so it happens in this process while files are read.

import { ok, type Result } from '@plugboard/base';
import { openStaticModel, readStaticModel, type StaticModel } from '@plugboard/static-model';
import type { Embedder } from './embedder.ts';

/** The embedder, or a sentence if the files of the table are missing or damaged. */
export async function openStatic(folder: string | undefined): Promise<Result<Embedder, string>> {
  const opened = await (folder === undefined ? openStaticModel() : readStaticModel(folder));
  return opened.ok ? ok(new StaticEmbedder(opened.value)) : opened;
}

class StaticEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly pace = 'as-read';
  /** Measured: the best cosine of questions about code is .38 to .89, of questions about the weather or cakes .07 to .31. */
  readonly leastSimilarity = 0.32;
  readonly #model: StaticModel;

  constructor(model: StaticModel) {
    this.id = model.id;
    this.dimensions = model.dimensions;
    this.#model = model;
  }

  async embedQuery(text: string): Promise<Float32Array> {
    return this.#model.embedQuery(text);
  }

  async embedDocuments(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return texts.map((text) => this.#model.embedDocument(text));
  }

  async close(): Promise<void> {
    // The table stays in memory, since other embedders in this process may use it.
  }
}
