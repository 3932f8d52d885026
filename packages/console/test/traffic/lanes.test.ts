import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { callAt, lanesOf, paintLane } from '../../src/traffic/lanes.ts';
import { boundsOf, pan, spanOf, ticksOf, zoom } from '../../src/traffic/time-span.ts';
import { logged } from './logged-call.ts';

const calls = [
  logged({ id: '1', at: 0, ms: 50 }),
  logged({ id: '2', at: 10, ms: 20, state: 'error' }),
  logged({ id: '3', at: 60, ms: 10, state: 'denied' }),
  logged({ id: '4', at: 60, ms: 30, server: 'two', clientName: 'other' }),
  logged({ id: '5', at: 90, ms: undefined, state: 'running' }),
];

describe('the lanes of a timeline', () => {
  verifies('CON-UI');

  it('are by server or by client, with overlapping calls in separate rows', () => {
    const lanes = lanesOf(calls, 'server');
    expect(lanes.map(({ name, depth }) => [name, depth])).toEqual([
      ['one', 2],
      ['two', 1],
    ]);
    expect([...(lanes[0]?.rows ?? [])]).toEqual([0, 1, 0, 0]);
    expect(lanesOf(calls, 'client').map(({ name }) => name)).toEqual(['other', 'test']);
  });

  it('paint a pixel in the tone of its worst call', () => {
    const [lane] = lanesOf(
      [logged({ at: 0, ms: 9 }), logged({ at: 1, ms: 1, state: 'error' })],
      'server',
    );
    if (lane === undefined) throw new Error('there is no lane');
    const wide = paintLane(lane, { width: 10, span: { from: 0, to: 10 }, now: 100 });
    expect([...wide]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 5, 5, 0, 0, 0, 0, 0, 0, 0]);
    const far = paintLane(lane, { width: 2, span: { from: 0, to: 100 }, now: 100 });
    expect([...far]).toEqual([1, 0, 5, 0]);
  });

  it('paint running calls until now, and calls that began before the span', () => {
    const [lane] = lanesOf(calls, 'server');
    if (lane === undefined) throw new Error('there is no lane');
    const row = (from: number, to: number, now: number): readonly number[] => [
      ...paintLane(lane, { width: 4, span: { from, to }, now }).subarray(0, 4),
    ];
    expect(row(40, 80, 200)).toEqual([1, 1, 4, 4]);
    expect(row(80, 120, 110)).toEqual([0, 3, 3, 3]);
  });

  it('find the call at a point', () => {
    const [lane] = lanesOf(calls, 'server');
    if (lane === undefined) throw new Error('there is no lane');
    const found = (row: number, at: number): string | undefined =>
      callAt(lane, { row, at, within: 5, now: 200 })?.call.id;
    expect([found(0, 20), found(1, 20), found(1, 33), found(1, 40), found(0, 150)]).toEqual([
      '1',
      '2',
      '2',
      undefined,
      '5',
    ]);
  });
});

describe('the time that a timeline shows', () => {
  verifies('CON-UI');
  const bounds = { from: 0, to: 1000 };

  it('is everything, the last seconds, or a fixed span', () => {
    expect(boundsOf(lanesOf(calls.slice(0, 4), 'server'), 500)).toEqual({ from: 0, to: 90 });
    expect(boundsOf(lanesOf(calls, 'server'), 500)).toEqual({ from: 0, to: 500 });
    expect(spanOf({ kind: 'all' }, bounds, 5000)).toEqual({ from: -20, to: 1020 });
    expect(spanOf({ kind: 'follow', ms: 300 }, bounds, 5000)).toEqual({ from: 4700, to: 5000 });
  });

  it('keeps the point under the pointer in place while zooming', () => {
    const half = zoom({ from: 0, to: 1000 }, { factor: 0.5, anchor: 0.25 }, bounds);
    expect(half).toEqual({ kind: 'fixed', from: 125, to: 625 });
    expect(zoom({ from: 0, to: 1000 }, { factor: 2, anchor: 0.5 }, bounds)).toEqual({
      kind: 'all',
    });
    expect(zoom({ from: 0, to: 3 }, { factor: 0.1, anchor: 0 }, bounds)).toEqual({
      kind: 'fixed',
      from: 0,
      to: 2,
    });
  });

  it('is panned by a share of its width, and not away from all calls', () => {
    expect(pan({ from: 0, to: 100 }, 0.5, bounds)).toEqual({ kind: 'fixed', from: 50, to: 150 });
    expect(pan({ from: 0, to: 100 }, -9, bounds)).toEqual({ kind: 'fixed', from: -50, to: 50 });
    expect(pan({ from: 900, to: 1000 }, 9, bounds)).toEqual({ kind: 'fixed', from: 950, to: 1050 });
  });

  it('has marks at round times with room between them', () => {
    expect(ticksOf({ from: 0, to: 1000 }, 500)).toEqual({
      step: 200,
      at: [0, 200, 400, 600, 800, 1000],
    });
    expect(ticksOf({ from: 1, to: 4 * 86_400_000 }, 300).step).toBe(2 * 86_400_000);
  });
});
