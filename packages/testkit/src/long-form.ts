// Some tests repeat their work many times to find rare failures. `npm test` repeats it a few times, to be fast;
// `npm run test:long` repeats it as often as the test intends.

/** How often to repeat: `short` in `npm test`, `long` in `npm run test:long`. */
export function times(short: number, long: number): number {
  return isLong ? long : short;
}

export const isLong: boolean = process.env['PLUGBOARD_LONG_TESTS'] === '1';
