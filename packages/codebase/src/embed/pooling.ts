// One vector for a text out of those of its tokens: their mean, padding left out, brought to length one.

import type { HiddenStates } from './engine.ts';

/** Part of the key of kept vectors: changes when pooling does. */
export const POOLING_VERSION = 'mean1';

/** The vector of the row `row`, whose first `tokens` tokens count. */
export function poolRow(
  { values, length }: HiddenStates,
  row: number,
  { tokens, dimensions }: { readonly tokens: number; readonly dimensions: number },
): Float32Array {
  const vector = new Float32Array(dimensions);
  const first = row * length * dimensions;
  for (let token = 0; token < tokens; token += 1) {
    const offset = first + token * dimensions;
    for (let index = 0; index < dimensions; index += 1) {
      vector[index] = (vector[index] ?? 0) + (values[offset + index] ?? 0);
    }
  }
  // Bringing the sum to length one brings the mean there too.
  makeUnit(vector);
  return vector;
}

/** Brings a vector to length one, where it lies. False when it has no direction: all zeros, or something in it is no number. */
export function makeUnit(vector: Float32Array): boolean {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) return false;
  for (let index = 0; index < vector.length; index += 1) {
    vector[index] = (vector[index] ?? 0) / length;
  }
  return true;
}
