// Generates vectors distributed like embeddings of code: around topics, in far fewer directions than dimensions, and with one
// common direction.

export interface VectorChoice {
  readonly seed: number;
  readonly count: number;
  readonly dimensions: number;
  /** Other vectors around the same topics. */
  readonly noiseSeed?: number;
}

const TOPICS = 60;
const DIRECTIONS = 64;

export function clusteredVectors(choice: VectorChoice): Float32Array[] {
  const { seed, count, dimensions, noiseSeed = seed + 1 } = choice;
  const normal = normals(seed);
  const many = (size: number): number[] => Array.from({ length: size }, normal);
  const common = many(dimensions);
  const directions = Array.from({ length: DIRECTIONS }, () => many(dimensions));
  const topics = Array.from({ length: TOPICS }, () => many(DIRECTIONS));
  const noise = normals(noiseSeed);
  return Array.from({ length: count }, (_, number) => {
    const sum = common.map((value) => value * 2);
    for (const [at, direction] of directions.entries()) {
      const spread = 3 / (1 + at / 8);
      const part = ((topics[number % TOPICS]?.[at] ?? 0) + noise()) * spread;
      for (const [place, value] of direction.entries())
        sum[place] = (sum[place] ?? 0) + value * part;
    }
    return unit(sum);
  });
}

export function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

function normals(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 1) / 4294967297;
  };
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}
