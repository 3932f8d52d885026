import { Scope } from '@plugboard/base';
import {
  allProcesses,
  type ProcessInfo,
  scriptedServer,
  times,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, Host } from '../../src/host/index.ts';
import { givenHost } from '../host/given-host.ts';

const HOSTS = times(5, 15);
/** Fewer than it takes for a host to leave a crashing server alone. */
const KILLS_PER_HOST = 4;
const IDLE_MS = 60_000;

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A point in time without a clock: a step of the slow call, and so many turns of the event loop. */
interface Point {
  readonly step: number;
  readonly turns: number;
}

const STEPS = 3;

function randomPoint(roll: () => number): Point {
  // Step 0 is before the calls, the one after the last is when all have ended.
  return { step: Math.floor(roll() * (STEPS + 2)), turns: Math.floor(roll() * 100) };
}

/** Three calls at once: one that is over at once, one that takes its time, one with a large answer. */
function calls(host: Host, onStep: (step: number) => void): Promise<readonly CallOutcome[]> {
  const onProgress = ({ progress }: { readonly progress: number }): void => onStep(progress);
  return Promise.all([
    host.call({ server: 's', tool: 'echo' }, { message: 'now' }),
    host.call({ server: 's', tool: 'sleep' }, { ms: 30, steps: STEPS }, { onProgress }),
    host.call({ server: 's', tool: 'big' }, { bytes: 300_000 }),
  ]);
}

async function callsWithKill(
  host: Host,
  { step, turns }: Point,
  mark: string,
): Promise<readonly CallOutcome[]> {
  const reached = new AbortController();
  if (step === 0) reached.abort();
  const outcomes = calls(host, (progress) => {
    if (progress === step) reached.abort();
  }).finally(() => reached.abort());
  if (!reached.signal.aborted) await once(reached.signal, 'abort');
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const running = (): ProcessInfo | undefined =>
    allProcesses().find(({ command }) => command.includes(mark));
  const { pid } = await waitUntil(running, { describe: 'the server to be there' });
  process.kill(pid, 'SIGKILL');
  return outcomes;
}

function isResultOrKilled(outcome: CallOutcome): boolean {
  return (
    outcome.kind === 'result' ||
    (outcome.kind === 'not-connected' &&
      outcome.reason.kind === 'exited' &&
      outcome.reason.exit.signal === 'SIGKILL')
  );
}

describe('a server that is killed in the middle of calls', () => {
  const seeds = Array.from({ length: HOSTS }, (_, index) => index + 1);

  it.each(seeds)('fails them clearly and serves the next (seed %i)', async (seed) => {
    verifies('CON-06');
    const roll = dice(seed);
    const mark = `killed-${seed}-of-${process.pid}`;
    const serverInfo = { name: mark, version: '1' };
    await using scope = new Scope();
    const host = await givenHost(scope, {
      s: { ...scriptedServer({ serverInfo }), timeout: IDLE_MS },
    });
    let deaths = 0;
    using _ = host.on((event) => {
      if (event.kind === 'state' && event.server.state.kind === 'failed') deaths += 1;
    });
    // Half of the hosts have the server running already; for the others it is killed at its start.
    if (seed % 2 === 0) await host.tools();
    for (let kill = 1; kill <= KILLS_PER_HOST; kill += 1) {
      const began = performance.now();
      const outcomes = await callsWithKill(host, randomPoint(roll), mark);
      expect(performance.now() - began).toBeLessThan(IDLE_MS);
      expect(outcomes.filter((outcome) => !isResultOrKilled(outcome))).toEqual([]);
      // A call between the death and its notice would be one more that is lost.
      await waitUntil(() => deaths === kill, { describe: 'the death to be noticed' });
      const next = await host.call({ server: 's', tool: 'sleep' }, { ms: 0 });
      expect(next).toMatchObject({ kind: 'result', parts: [{ text: 'slept 0 ms' }] });
    }
  });
});
