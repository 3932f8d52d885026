// Brings a vector to length one, where it lies.

/** False when it has no direction: all zeros, or something in it is no number. */
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
