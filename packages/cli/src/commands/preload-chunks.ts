// Loads, in a long-running gateway, the chunks of the bundle that are otherwise loaded on demand. An upgrade replaces
// the files of the bundle, and a chunk that is not loaded by then cannot be loaded afterwards.

import { createRequire } from 'node:module';
import { atTurnEnd } from '@plugboard/base';

/** Beside the folder of the chunks; names those that the command `serve` can load. */
const PARTS = '../gateway-parts.cjs';

/** Outside of the bundle there is nothing to do. Other work goes on between two parts. */
export async function preloadChunks(): Promise<void> {
  const load = createRequire(import.meta.url);
  try {
    for (const part of load(PARTS) as readonly string[]) {
      await new Promise<void>(atTurnEnd);
      load(`./${part}`);
    }
  } catch {
    // Not bundled, or replaced in this very moment: what is missing will be missed where it is used.
  }
}
