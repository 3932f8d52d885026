// The wait of the first calls of a session whose server requests the roots as soon as it is connected.

import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { SessionRoots } from '../../src/protocol/early-roots.ts';

const ROOT = { uri: 'file:///work', name: 'work' };

function given(known: 'asking' | 'unknown') {
  const clock = new ManualClock();
  const ending = new AbortController();
  const noted: string[] = [];
  const said: string[] = [];
  let hasAnswered = false;
  const roots = new SessionRoots({
    list: () => [ROOT],
    watch: () => ({ [Symbol.dispose]: () => {} }),
    early: { isExpected: known === 'asking', note: (what) => void noted.push(what) },
  });
  const awaited = roots.beforeCalls({
    clock,
    ending: ending.signal,
    hasAnswered: () => hasAnswered,
    ping: () => Promise.resolve(said.push('ping')),
  });
  void awaited?.then(() => said.push('calls'));
  return {
    roots,
    clock,
    ending,
    noted,
    said,
    awaited,
    answer: () => {
      hasAnswered = true;
    },
  };
}

describe('the first calls of a session', () => {
  verifies('INB-04');

  it('do not wait if the server is not known to request roots', () => {
    expect(given('unknown').awaited).toBeUndefined();
  });

  it('wait until a server that requests roots has received and inspected them', async () => {
    const { roots, clock, said, noted } = given('asking');
    await clock.advance(100);
    expect(said).toEqual([]);
    expect(roots.list()).toEqual([ROOT]);
    await clock.advance(29);
    expect(said).toEqual([]);
    await clock.advance(1);
    expect(said).toEqual(['ping', 'calls']);
    expect(noted).toEqual(['asked']);
    expect(clock.pending).toBe(0);
  });

  it('continue after half a second, and the next session does not wait', async () => {
    const { clock, said, noted } = given('asking');
    await clock.advance(500);
    expect(said).toEqual(['calls']);
    expect(noted).toEqual(['not-asked']);
  });

  it('do not wait for an ended session, from which nothing is recorded about the server', async () => {
    const { awaited, ending, noted } = given('asking');
    ending.abort();
    await awaited;
    expect(noted).toEqual([]);
  });
});

describe('a server that requests roots', () => {
  it('is remembered if it does so before anything else', () => {
    const { roots, noted } = given('unknown');
    roots.list();
    expect(noted).toEqual(['asked']);
  });

  it('is not remembered if it did so during a call', () => {
    const { roots, noted, answer } = given('unknown');
    answer();
    roots.list();
    expect(noted).toEqual([]);
  });
});
