// Some tests do the same many times to find what happens rarely. `npm test` does it a few times, so that it fits into a
// break; `npm run test:long` does it as often as the test was written for.

/** How often to repeat: `short` in `npm test`, `long` in `npm run test:long`. */
export function times(short: number, long: number): number {
  return isLong ? long : short;
}

export const isLong: boolean = process.env['PLUGBOARD_LONG_TESTS'] === '1';
