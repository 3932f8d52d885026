import { ManualClock } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { Seldom } from '../src/index.ts';

describe('a report by Seldom', () => {
  it('is made at once, then once a minute with the number of occurrences', async () => {
    const clock = new ManualClock();
    const seldom = new Seldom(clock);
    const said: string[] = [];
    const tell = (key: string): void => seldom.tell(key, (count) => said.push(`${key} ${count}`));
    for (const key of ['a', 'a', 'b', 'a']) tell(key);
    expect(said).toEqual(['a 1', 'b 1']);
    await clock.advance(60_000);
    for (const key of ['a', 'a']) tell(key);
    expect(said).toEqual(['a 1', 'b 1', 'a 3']);
  });

  it('is remembered for a bounded number of keys', () => {
    const seldom = new Seldom(new ManualClock());
    let said = 0;
    const tell = (key: string): void => seldom.tell(key, () => (said += 1));
    for (let time = 0; time < 1001; time += 1) tell(`${time}`);
    tell('0');
    expect(said).toBe(1002);
  });
});
