// Scores how similar tools are to a request in meaning, by the cosine of their vectors. Pure.

/** Converts texts into unit vectors, or into zero for a text without known words. */
export interface TextEncoder {
  readonly dimensions: number;
  embedDocument(text: string): Float32Array;
  embedQuery(text: string): Float32Array;
}

/** The first dimensions are the most significant: the encoder orders them by variance. */
const ESTIMATE_DIMENSIONS = 32;

export class MeaningScores {
  readonly #encoder: TextEncoder;
  readonly #vectors: readonly Float32Array[];
  /** The beginnings of all vectors in one array, which is faster than an array of arrays. */
  readonly #beginnings: Float32Array;

  constructor(encoder: TextEncoder, vectors: readonly Float32Array[]) {
    this.#encoder = encoder;
    this.#vectors = vectors;
    this.#beginnings = new Float32Array(vectors.length * ESTIMATE_DIMENSIONS);
    vectors.forEach((vector, at) =>
      this.#beginnings.set(vector.subarray(0, ESTIMATE_DIMENSIONS), at * ESTIMATE_DIMENSIONS),
    );
  }

  embed(query: string): Float32Array {
    return this.#encoder.embedQuery(query);
  }

  /** Scores of all tools by the first dimensions: good enough for a short list. */
  estimates(query: Float32Array): Float32Array {
    const beginning = query.subarray(0, ESTIMATE_DIMENSIONS);
    const estimates = new Float32Array(this.#vectors.length);
    for (let tool = 0; tool < estimates.length; tool += 1) {
      estimates[tool] = product(beginning, this.#beginnings, tool * ESTIMATE_DIMENSIONS);
    }
    return estimates;
  }

  cosine(query: Float32Array, tool: number): number {
    const vector = this.#vectors[tool];
    return vector === undefined ? 0 : product(query, vector, 0);
  }
}

function product(query: Float32Array, rows: Float32Array, from: number): number {
  let sum = 0;
  for (let at = 0; at < query.length; at += 1) sum += (query[at] ?? 0) * (rows[from + at] ?? 0);
  return sum;
}
