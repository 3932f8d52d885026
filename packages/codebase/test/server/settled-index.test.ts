// Compares a running server with a fresh index after random changes to a repository. The short form always uses the same
// seed; the long form takes an hour and begins with another seed each time. `PLUGBOARD_CHECK_SEED` sets the first seed,
// `PLUGBOARD_CHECK_MINUTES` the duration. The last line of its output counts what it did.

import { isLong, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { runEpisode, Tally } from './settled/episode.ts';

const MINUTE_MS = 60_000;
const given = process.env['PLUGBOARD_CHECK_SEED'];
const minutes = Number(process.env['PLUGBOARD_CHECK_MINUTES'] ?? (isLong ? 60 : 0));

describe('a server whose tree changes and that is killed now and then', () => {
  verifies('COD-20');

  it(
    'answers as one with a fresh index does, once it has settled',
    async () => {
      const tally = new Tally();
      if (minutes === 0) {
        const seed = Number(given ?? 32);
        await runEpisode({ seed, rounds: 4, floodFiles: 60, disturbances: 0.6 }, tally);
        expect(tally.compared).toBeGreaterThan(100);
        return;
      }
      const endsAt = performance.now() + minutes * MINUTE_MS;
      const isOver = (): boolean => performance.now() >= endsAt;
      const first = Number(given ?? Date.now() % 1_000_000);
      for (let seed = first; !isOver(); seed += 1) {
        await runEpisode(
          { seed, rounds: 25, floodFiles: 400, disturbances: 0.25, isOver },
          tally,
        ).finally(() => console.log(`from seed ${first} to ${seed}: ${tally.summary()}`));
      }
    },
    (minutes + 10) * MINUTE_MS,
  );
});
