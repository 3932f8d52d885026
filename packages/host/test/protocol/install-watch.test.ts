import { deadline, never } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { InstallWatch, LONGEST_INSTALL_MS } from '../../src/protocol/install-watch.ts';

const TIMEOUT_MS = 30_000;

function watched() {
  const clock = new ManualClock();
  const limit = deadline(TIMEOUT_MS, clock, never);
  const told: (string | undefined)[] = [];
  let runner: string | undefined = 'npx';
  const watch = new InstallWatch({
    installing: () => Promise.resolve(runner),
    limit,
    timeoutMs: TIMEOUT_MS,
    clock,
    onInstalling: (name) => told.push(name),
  });
  return {
    clock,
    limit,
    watch,
    told,
    start: () => {
      runner = undefined;
    },
  };
}

describe('a server whose package is still being fetched', () => {
  verifies('CON-13');

  it('gets its full timeout after it was started', async () => {
    const { clock, limit, watch, told, start } = watched();
    await clock.advance(4 * TIMEOUT_MS);
    expect([limit.signal.aborted, watch.runner, told]).toEqual([false, 'npx', ['npx']]);
    start();
    await clock.advance(TIMEOUT_MS - 2000);
    expect([limit.signal.aborted, watch.runner, told]).toEqual([
      false,
      undefined,
      ['npx', undefined],
    ]);
    await clock.advance(3000);
    expect(limit.signal.aborted).toBe(true);
  });

  it('is given up if fetching takes too long', async () => {
    const { clock, limit, watch } = watched();
    await clock.advance(LONGEST_INSTALL_MS - 1000);
    expect(limit.signal.aborted).toBe(false);
    await clock.advance(TIMEOUT_MS + 2000);
    expect([limit.signal.aborted, watch.runner]).toEqual([true, 'npx']);
  });

  it('is no longer watched after it was opened', async () => {
    const { clock, limit, watch } = watched();
    await clock.advance(2000);
    watch[Symbol.dispose]();
    limit[Symbol.dispose]();
    await clock.advance(2000);
    expect(clock.pending).toBe(0);
  });
});
