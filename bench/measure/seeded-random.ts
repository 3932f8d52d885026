// Pseudo-random numbers from a seed, so that failures can be reproduced.

/** Each call returns the next number, from 0 (inclusive) to 1 (exclusive). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // A Weyl sequence, its bits mixed by two rounds of multiply and shift.
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
