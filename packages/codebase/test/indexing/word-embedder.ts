// An embedder without a model: each word adds to one dimension. It records the texts that it embeds.

import type { Embedder } from '../../src/embed/index.ts';

export class WordEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions = 64;
  readonly pace: Embedder['pace'];
  readonly embedded: string[] = [];

  constructor(pace: Embedder['pace'] = 'later', id = 'words-64') {
    this.pace = pace;
    this.id = id;
  }

  async embedQuery(text: string): Promise<Float32Array> {
    return vectorOf(text);
  }

  async embedDocuments(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.embedded.push(...texts);
    return texts.map(vectorOf);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(64).fill(0.01);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let place = 7;
    for (const letter of word) place = (place * 31 + letter.charCodeAt(0)) % 64;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
