import { err, never, ok } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { connectionOver, decidedOpener, StillSession } from './still-session.ts';

describe('the runner of a connection', () => {
  it('opens once for all concurrent callers', async () => {
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open);
    const asked = [connection.session(never), connection.session(never)];
    const { session } = new StillSession();
    decide[0]?.(ok(session));
    expect(await Promise.all(asked)).toEqual([ok(session), ok(session)]);
    expect(decide).toHaveLength(1);
  });

  it('tries again at the next request after a failure', async () => {
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open);
    const failed = connection.session(never);
    decide[0]?.(err({ kind: 'closed' }));
    expect(await failed).toEqual(err({ kind: 'failed', failure: { kind: 'closed' } }));
    const again = connection.session(never);
    const { session } = new StillSession();
    decide[1]?.(ok(session));
    expect(await again).toEqual(ok(session));
  });

  it('returns a recent timeout to further callers without another attempt', async () => {
    const clock = new ManualClock();
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open, { clock });
    const failed = connection.session(never);
    const failure = { kind: 'timeout', ms: 30_000 } as const;
    decide[0]?.(err(failure));
    expect(await failed).toEqual(err({ kind: 'failed', failure }));
    expect(await connection.session(never)).toEqual(err({ kind: 'failed', failure }));
    expect(decide).toHaveLength(1);
    await clock.advance(3000);
    const again = connection.session(never);
    const { session } = new StillSession();
    decide[1]?.(ok(session));
    expect(await again).toEqual(ok(session));
  });

  it('contacts a server again after a timeout for a caller that checks its state', async () => {
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open, { clock: new ManualClock() });
    const failed = connection.session(never);
    decide[0]?.(err({ kind: 'timeout', ms: 30_000 }));
    await failed;
    const again = connection.session(never, 'wish');
    const { session } = new StillSession();
    decide[1]?.(ok(session));
    expect(await again).toEqual(ok(session));
  });

  it('notices the end of the session at once, cleans up, and opens another when needed', async () => {
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open);
    const first = new StillSession();
    const asked = connection.session(never);
    decide[0]?.(ok(first.session));
    await asked;
    first.end({ kind: 'closed' });
    await first.session.closed;
    await Promise.resolve();
    expect(connection.state).toEqual({ kind: 'failed', failure: { kind: 'closed' } });
    const again = connection.session(never);
    const second = new StillSession();
    decide[1]?.(ok(second.session));
    expect(await again).toEqual(ok(second.session));
    await connection.close();
    expect([first.closes, second.closes]).toEqual([1, 1]);
  });

  it('releases a caller that aborts, and the others get their session', async () => {
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open);
    const abort = new AbortController();
    const [quitter, patient] = [connection.session(abort.signal), connection.session(never)];
    abort.abort();
    expect(await quitter).toEqual(err({ kind: 'failed', failure: { kind: 'cancelled' } }));
    const { session } = new StillSession();
    decide[0]?.(ok(session));
    expect(await patient).toEqual(ok(session));
  });

  it('aborts a running attempt when closed, and closes a session that arrives too late', async () => {
    const { open, decide, signals } = decidedOpener();
    const connection = connectionOver(open);
    const asked = connection.session(never);
    const closing = connection.close();
    expect(signals[0]?.aborted).toBe(true);
    const late = new StillSession();
    decide[0]?.(ok(late.session));
    await closing;
    expect(late.closes).toBe(1);
    expect(await asked).toEqual(err({ kind: 'idle' }));
  });

  it('turns an internal bug into a failure of this server', async () => {
    const connection = connectionOver(() => Promise.reject(new TypeError('a bug')));
    expect(await connection.session(never)).toEqual(
      err({ kind: 'failed', failure: { kind: 'unexpected', message: 'a bug' } }),
    );
  });

  it('reports every change, also when a listener throws', async () => {
    verifies('CON-01');
    const { open, decide } = decidedOpener();
    const connection = connectionOver(open);
    const seen: string[] = [];
    using _bad = connection.onChange(() => {
      throw new Error('a listener');
    });
    using _good = connection.onChange(({ kind }) => seen.push(kind));
    const asked = connection.session(never);
    decide[0]?.(ok(new StillSession().session));
    await asked;
    await connection.close();
    expect(seen).toEqual(['connecting', 'ready', 'idle']);
  });
});
