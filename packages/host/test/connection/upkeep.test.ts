import { err, never, ok } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../src/connection/reconnection.ts';
import type { ConnectionFailure } from '../../src/connection/state.ts';
import { BRAKE, brakedUntil, type Crashes, withCrash } from '../../src/connection/crash-brake.ts';
import { upkeepOf } from '../../src/connection/upkeep.ts';
import { connectionOver, decidedOpener, StillSession } from './still-session.ts';

const unreachable = { kind: 'unreachable', url: 'http://x', code: 'ECONNREFUSED' } as const;
const exited = {
  kind: 'exited',
  exit: { code: 1, signal: null },
  evidence: { stderr: ['no'], strayLines: 0, lastStrayLine: undefined },
} as const;
const backoff = { firstMs: 1000, maxMs: 30_000, maxAttempts: 5 };
const automatic = { isAutomatic: true, backoff };

describe('a lost remote server', () => {
  it('is retried with growing pauses, and given up after the last attempt', async () => {
    verifies('CON-05');
    const clock = new ManualClock();
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open, { clock, upkeep: { reconnection: automatic } });
    const asked = connection.session(never);
    decide[0]?.(err(unreachable));
    expect(await asked).toMatchObject(
      err({ kind: 'waiting', tries: 1, max: 5, failure: unreachable }),
    );
    const pauses: number[] = [];
    for (let attempt = 1; connection.state.kind === 'waiting'; attempt += 1) {
      pauses.push(connection.state.until - clock.now());
      await clock.advance(connection.state.until - clock.now());
      expect(connection.state.kind).toBe('connecting');
      decide[attempt]?.(err(unreachable));
      await clock.advance(0);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000]);
    expect(connection.state).toEqual({ kind: 'failed', failure: unreachable });
    expect(clock.pending).toBe(0);
  });

  it('reconnects by itself after it was ready', async () => {
    verifies('CON-05');
    const clock = new ManualClock();
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open, { clock, upkeep: { reconnection: automatic } });
    const first = new StillSession();
    const asked = connection.session(never);
    decide[0]?.(ok(first.session));
    await asked;
    first.end({ kind: 'closed' });
    await clock.advance(0);
    expect(connection.state).toMatchObject({ kind: 'waiting', failure: { kind: 'closed' } });
    await clock.advance(1000);
    const second = new StillSession();
    decide[1]?.(ok(second.session));
    await clock.advance(0);
    expect(connection.state).toMatchObject({ kind: 'ready', session: second.session });
  });

  it('is tried at once for a call while it waits', async () => {
    const clock = new ManualClock();
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open, { clock, upkeep: { reconnection: automatic } });
    const asked = connection.session(never);
    decide[0]?.(err(unreachable));
    await asked;
    const again = connection.session(never);
    expect(clock.pending).toBe(0);
    const { session } = new StillSession();
    decide[1]?.(ok(session));
    expect(await again).toEqual(ok(session));
  });

  it.each<ConnectionFailure>([
    { kind: 'unauthorized', url: 'http://x', status: 401 },
    { kind: 'unauthorized', url: 'http://x', status: 403 },
    { kind: 'http', url: 'http://x', status: 404 },
    { kind: 'not-mcp', url: 'http://x', contentType: 'text/html' },
    { kind: 'command-not-found', command: 'x', searched: '' },
  ])('is not retried after $kind $status', (failure) => {
    verifies('CON-05');
    expect(retryDelay({ failure, tries: 1 }, automatic, Math.random)).toBeUndefined();
  });

  it('is retried with the configured number, first pause and longest pause', () => {
    verifies('CON-05');
    const reconnect = { maxAttempts: 4, delayMs: 50, maxDelayMs: 150 };
    const { reconnection } = upkeepOf({ kind: 'http', reconnect }, { idleStopMs: 1 });
    const pauses = [1, 2, 3, 4].map((tries) =>
      retryDelay({ failure: unreachable, tries }, reconnection, () => 1),
    );
    expect(pauses).toEqual([50, 100, 150, undefined]);
  });
});

describe('a local server that crashes', () => {
  it('is not restarted after the fifth crash within a minute, and its last output is shown', async () => {
    verifies('CON-06');
    const clock = new ManualClock();
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open, { clock });
    for (let crash = 0; crash < 5; crash += 1) {
      const asked = connection.session(never);
      decide[crash]?.(err(exited));
      await asked;
      await clock.advance(1000);
    }
    expect(connection.state).toEqual({
      kind: 'failed',
      failure: { kind: 'crash-loop', crashes: 5, until: clock.now() + 55_000, last: exited },
    });
    await connection.session(never);
    expect(decide).toHaveLength(5);
    await clock.advance(55_000);
    const asked = connection.session(never);
    const { session } = new StillSession();
    decide[5]?.(ok(session));
    expect(await asked).toEqual(ok(session));
  });

  it.each([-5 * 3_600_000, 5 * 3_600_000])(
    'is held back for at most a minute, even if the clock is set by %i ms meanwhile',
    async (ms) => {
      const clock = new ManualClock();
      const { open, decide } = decidedOpener();
      const connection = connectionOver(open, { clock });
      for (let crash = 0; crash < 5; crash += 1) {
        const asked = connection.session(never);
        decide[crash]?.(err(exited));
        await asked;
      }
      clock.jump(ms);
      await clock.advance(BRAKE.withinMs);
      void connection.session(never);
      expect(connection.state.kind).toBe('connecting');
    },
  );

  it.each([-5 * 3_600_000, 5 * 3_600_000])(
    'is not held back after crashes far apart, even if the clock is set by %i ms',
    async (ms) => {
      const clock = new ManualClock();
      const { open, decide } = decidedOpener();
      const connection = connectionOver(open, { clock });
      for (let crash = 0; crash < 8; crash += 1) {
        const asked = connection.session(never);
        decide[crash]?.(err(exited));
        await asked;
        await clock.advance(BRAKE.withinMs / 4);
        if (crash === 2) clock.jump(ms);
      }
      expect(connection.state).toEqual({ kind: 'failed', failure: exited });
    },
  );

  it('is held back only after five crashes within a minute', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(gaps, (pauses) => {
        let crashes: Crashes = [];
        const times: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          times.push(now);
          crashes = withCrash(crashes, now);
        }
        const recent = times.filter((time) => now - time < BRAKE.withinMs).length;
        expect(brakedUntil(crashes) !== undefined).toBe(recent >= BRAKE.crashes);
      }),
    );
  });
});

describe('the heartbeat of an entry', () => {
  it.each([
    [undefined, 5000],
    [2000, 2000],
    ['off', undefined],
  ])(
    'that is %j, in a host with a default of 5 s, has an interval of %j ms',
    (heartbeat, every) => {
      const entry = { kind: 'http', ...(heartbeat === undefined ? {} : { heartbeat }) } as const;
      const upkeep = upkeepOf(entry, { idleStopMs: 1, heartbeatMs: 5000 });
      expect(upkeep.heartbeat?.everyMs).toBe(every);
    },
  );
});

describe('the heartbeat of a connection', () => {
  const heartbeat = { everyMs: 1000, timeoutMs: 500 };

  it('pings at its interval, and stops with the connection', async () => {
    verifies('CON-08');
    const clock = new ManualClock();
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open, { clock, upkeep: { heartbeat } });
    const still = new StillSession();
    const asked = connection.session(never);
    decide[0]?.(ok(still.session));
    await asked;
    await clock.advance(3500);
    expect(still.pings).toBe(3);
    await connection.close();
    await clock.advance(5000);
    expect([still.pings, clock.pending]).toEqual([3, 0]);
  });

  it.each([
    ['local', false],
    ['remote', true],
  ])('restarts a %s server when it is missed', async (_, isAutomatic) => {
    verifies('CON-08');
    const clock = new ManualClock();
    const { open, decide } = decidedOpener();
    const reconnection = { isAutomatic, backoff };
    const connection = connectionOver(open, { clock, upkeep: { heartbeat, reconnection } });
    const still = new StillSession();
    const asked = connection.session(never);
    decide[0]?.(ok(still.session));
    await asked;
    still.pong = err({ kind: 'timeout', ms: 500 });
    await clock.advance(1000);
    expect(still.closes).toBe(1);
    if (isAutomatic) await clock.advance(1000);
    expect(connection.state).toMatchObject({ kind: 'connecting' });
    expect(decide).toHaveLength(2);
    decide[1]?.(err({ kind: 'closed' }));
    await connection.close();
  });
});

describe('an unused server', () => {
  it('is stopped after a while, but not during a call', async () => {
    verifies('CON-11');
    const clock = new ManualClock();
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open, { clock, upkeep: { idleStopMs: 10_000 } });
    const still = new StillSession();
    const asked = connection.session(never);
    decide[0]?.(ok(still.session));
    await asked;
    still.activity = { running: 1, lastUse: 0 };
    await clock.advance(60_000);
    expect(connection.state.kind).toBe('ready');
    still.activity = { running: 0, lastUse: clock.elapsed() };
    await clock.advance(9999);
    expect(connection.state.kind).toBe('ready');
    await clock.advance(10_000);
    expect(connection.state).toEqual({ kind: 'idle' });
    expect([still.closes, clock.pending]).toEqual([1, 0]);
  });

  it.each([
    ['stdio', undefined, 600],
    ['stdio', 'lazy', 600],
    ['stdio', 'eager', undefined],
    ['stdio', 'keep-alive', undefined],
    ['http', 'lazy', undefined],
  ] as const)('is %s with lifecycle %s', (kind, lifecycle, idleStopMs) => {
    verifies('CON-11');
    const entry = lifecycle === undefined ? { kind } : { kind, lifecycle };
    expect(upkeepOf(entry, { idleStopMs: 600 }).idleStopMs).toBe(idleStopMs);
  });
});
