// A running server against a fresh index, after everything that happens to a repository. The seed of the short form is always the
// same; the long form takes an hour and other seeds each time. `PLUGBOARD_CHECK_SEED` repeats one, `PLUGBOARD_CHECK_MINUTES`
// says how long.

import { isLong, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { runEpisode } from './settled/episode.ts';

const MINUTE_MS = 60_000;
const given = process.env['PLUGBOARD_CHECK_SEED'];
const minutes = Number(process.env['PLUGBOARD_CHECK_MINUTES'] ?? (isLong ? 60 : 0));

describe('a server whose tree changes and that is killed now and then', () => {
  verifies('COD-20');

  it(
    'answers as one with a fresh index does, once it has settled',
    async () => {
      if (minutes === 0) {
        expect(
          await runEpisode({
            seed: Number(given ?? 32),
            rounds: 4,
            floodFiles: 60,
            disturbances: 0.6,
          }),
        ).toBeGreaterThan(100);
        return;
      }
      const endsAt = performance.now() + minutes * MINUTE_MS;
      const isOver = (): boolean => performance.now() >= endsAt;
      let seed = Number(given ?? Date.now() % 1_000_000);
      for (; !isOver(); seed += 1) {
        const compared = await runEpisode({
          seed,
          rounds: 25,
          floodFiles: 400,
          disturbances: 0.25,
          isOver,
        });
        console.log(`seed ${seed}: ${compared} answers were the same`);
      }
    },
    (minutes + 10) * MINUTE_MS,
  );
});
