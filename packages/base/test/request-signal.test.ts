import { describe, expect, it } from 'vitest';
import { abortSignalOf, RequestSignal } from '../src/request-signal.ts';
import { abortable, deadline } from '../src/signal.ts';
import { ManualClock } from '@plugboard/testkit';

const reason = new Error('given up');

describe('the signal of a request', () => {
  it('notifies each listener once when it aborts, with the reason', () => {
    const signal = new RequestSignal();
    const told: string[] = [];
    for (const name of ['a', 'b']) signal.addEventListener('abort', () => told.push(name));
    expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
    signal.abort(reason);
    signal.abort(new Error('another'));
    expect([signal.aborted, signal.reason, told]).toEqual([true, reason, ['a', 'b']]);
  });

  it('has the reason of an AbortSignal by default', () => {
    const signal = new RequestSignal();
    signal.abort();
    expect(signal.reason).toEqual(AbortSignal.abort().reason);
  });

  it('does not notify a listener that was removed, even if another is removed meanwhile', () => {
    const signal = new RequestSignal();
    const told: string[] = [];
    const left = (): number => told.push('left');
    const first = (): void => {
      told.push('first');
      signal.removeEventListener('abort', first);
    };
    signal.addEventListener('abort', left);
    signal.addEventListener('abort', first);
    signal.addEventListener('abort', () => told.push('last'));
    signal.removeEventListener('abort', left);
    signal.abort();
    expect(told).toEqual(['first', 'last']);
  });

  it('ends waiting code like an AbortSignal', async () => {
    const signal = new RequestSignal();
    const waiting = abortable(new Promise(() => {}), signal);
    using limit = deadline(1000, new ManualClock(), signal);
    signal.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(limit.signal.reason).toBe(reason);
  });
});

describe('an AbortSignal for a request', () => {
  it('aborts with the request, and for its reason', () => {
    const signal = new RequestSignal();
    const following = abortSignalOf(signal);
    expect(following.aborted).toBe(false);
    signal.abort(reason);
    expect(following.reason).toBe(reason);
    expect(abortSignalOf(signal).reason).toBe(reason);
  });

  it('is returned unchanged if there is one', () => {
    const { signal } = new AbortController();
    expect(abortSignalOf(signal)).toBe(signal);
  });
});
