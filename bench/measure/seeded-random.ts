// Numbers that look random and are the same for the same seed, so that what went wrong once can be
// had again.

/** Each call gives the next number, from 0 up to but not including 1. */
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
