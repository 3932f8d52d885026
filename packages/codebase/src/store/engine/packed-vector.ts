// Packs a vector of length one into four bits per dimension: the sign and one of eight sizes, which are chosen to minimize
// the error for the distribution of embeddings. Only the direction is kept, so there is no scale.

/** The optimal sizes for a normal distribution, in units of its standard deviation. */
const SIZES = [0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6181, 2.069, 2.7326] as const;
const BOUNDS = SIZES.slice(1).map((size, index) => (size + (SIZES[index] ?? 0)) / 2);
const NEGATIVE = 8;

/** The values of the sixteen codes. */
const CODE_VALUES: readonly number[] = [...SIZES, ...SIZES.map((size) => -size)];

export function packedLength(dimensions: number): number {
  return Math.ceil(dimensions / 2);
}

export function packVector(vector: Float32Array): Uint8Array {
  const packed = new Uint8Array(packedLength(vector.length));
  const unit = Math.sqrt(vector.length);
  for (const [index, value] of vector.entries()) {
    const code = codeOfValue(value * unit);
    packed[index >> 1] = (packed[index >> 1] ?? 0) | (index % 2 === 0 ? code : code << 4);
  }
  return packed;
}

function codeOfValue(value: number): number {
  const size = Math.abs(value);
  let code = 0;
  while (code < BOUNDS.length && size > (BOUNDS[code] ?? 0)) code += 1;
  return value < 0 ? code | NEGATIVE : code;
}

/** Writes one bit per dimension, which is set if the value is negative. */
export function writeSigns(packed: Uint8Array, to: Uint32Array, at: number): void {
  let word = 0;
  for (let index = 0; index < packed.length; index += 1) {
    const byte = packed[index] ?? 0;
    word |= (((byte >> 3) & 1) | ((byte >> 6) & 2)) << ((index & 15) * 2);
    if ((index & 15) < 15 && index < packed.length - 1) continue;
    to[at + (index >> 4)] = word;
    word = 0;
  }
}

/** The length of the unpacked vector. */
export function packedNorm(packed: Uint8Array, dimensions: number): number {
  let sum = 0;
  for (let index = 0; index < dimensions; index += 1) {
    const byte = packed[index >> 1] ?? 0;
    const value = CODE_VALUES[index % 2 === 0 ? byte & 15 : byte >> 4] ?? 0;
    sum += value * value;
  }
  return Math.sqrt(sum);
}

/** What each byte at each place adds to the dot product with `query`: 256 numbers per place. */
export function productTable(query: Float32Array): Float32Array {
  const places = packedLength(query.length);
  const table = new Float32Array(places * 256);
  for (let place = 0; place < places; place += 1) {
    const low = query[place * 2] ?? 0;
    const high = query[place * 2 + 1] ?? 0;
    for (let byte = 0; byte < 256; byte += 1) {
      table[place * 256 + byte] =
        low * (CODE_VALUES[byte & 15] ?? 0) + high * (CODE_VALUES[byte >> 4] ?? 0);
    }
  }
  return table;
}
