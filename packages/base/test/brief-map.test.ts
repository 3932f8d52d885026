import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { BriefMap } from '../src/brief-map.ts';

interface Value {
  readonly name: string;
}

const one: Value = { name: 'one' };
const two: Value = { name: 'two' };

describe('a map for short-lived entries', () => {
  it('returns an entry until it is taken, and takes it once', () => {
    const map = new BriefMap<number, Value>();
    map.set(1, one);
    map.set(2, two);
    expect([map.size, map.has(1), map.get(1)]).toEqual([2, true, one]);
    expect([map.take(1), map.take(1), map.take(3)]).toEqual([one, undefined, undefined]);
    expect([map.size, map.has(1), map.get(1), map.get(2)]).toEqual([1, false, undefined, two]);
  });

  it('replaces the value of an existing key', () => {
    const map = new BriefMap<string, Value>();
    map.set('a', one);
    map.set('a', two);
    expect([...map.entries()]).toEqual([['a', two]]);
    expect([map.take('a'), map.size]).toEqual([two, 0]);
  });

  it('lists its entries in the order of their arrival, also while they are taken', () => {
    const map = new BriefMap<number, Value>();
    for (const [key, value] of [one, two, one].entries()) map.set(key, value);
    expect([...map.values()]).toEqual([one, two, one]);
    const seen: number[] = [];
    for (const [key] of map.entries()) {
      seen.push(key);
      map.take(key);
    }
    expect([seen, map.size]).toEqual([[0, 1, 2], 0]);
  });

  it('does not leak a value to another key when its slot is reused', () => {
    const map = new BriefMap<number, Value>();
    map.set(1, one);
    map.take(1);
    map.set(2, two);
    expect([map.get(1), map.get(2)]).toEqual([undefined, two]);
  });

  it('retains no removed entries after a minor garbage collection', () => {
    const map = new BriefMap<number, readonly number[]>();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
    let next = 0;
    const work = (count: number): void => {
      for (const end = next + count; next < end; next += 1) {
        map.set(
          next,
          Array.from({ length: 1000 }, () => next),
        );
        map.take(next - 16);
      }
    };
    work(100);
    // Moves the table of the map to the old generation.
    collect();
    const before = process.memoryUsage().heapUsed;
    work(2000);
    for (let times = 0; times < 3; times += 1) collect({ type: 'minor' });
    // The values of all entries took 16 MB.
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(6);
  });
});
