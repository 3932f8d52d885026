// Loads all chunks of the bundle in a long-running gateway. An upgrade replaces the files of the bundle, after which chunks
// can no longer be loaded on demand.

import { createRequire } from 'node:module';
import { atTurnEnd } from '@plugboard/base';

/** The list of the chunks that `serve` can load, beside their folder. */
const PARTS = '../gateway-parts.cjs';

/** Does nothing outside the bundle. Other work can run between two chunks. */
export async function preloadChunks(): Promise<void> {
  const load = createRequire(import.meta.url);
  try {
    for (const part of load(PARTS) as readonly string[]) {
      await new Promise<void>(atTurnEnd);
      load(`./${part}`);
    }
  } catch {
    // Not bundled, or replaced at this moment. A missing chunk fails where it is used.
  }
}
