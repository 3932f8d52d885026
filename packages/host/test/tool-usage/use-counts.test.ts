// Counts of uses that decay.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chanceOf,
  formatCounts,
  type NewUses,
  readCounts,
  type UseCounts,
  withUses,
} from '../../src/tool-usage/use-counts.ts';

const DAY = 24 * 60 * 60_000;
const NONE: UseCounts = new Map();

function uses(server: string, ...tools: readonly string[]): NewUses {
  return { servers: new Set([server]), tools: tools.map((tool) => ({ server, tool })) };
}

function repeated(times: number, added: NewUses, now = 0): UseCounts {
  let counts = NONE;
  for (let time = 0; time < times; time += 1) counts = withUses(counts, added, now);
  return counts;
}

const CREATE = { server: 'github', tool: 'create_issue' };

describe('the chance that a tool is used', () => {
  it('is the share of the conversations that used it', () => {
    let counts = repeated(6, uses('github', 'create_issue'));
    for (let time = 0; time < 4; time += 1) counts = withUses(counts, uses('github'), 0);
    expect(chanceOf(counts, CREATE)).toBeCloseTo(0.6);
    expect(chanceOf(counts, { server: 'github', tool: 'other' })).toBe(0);
    expect(chanceOf(counts, { server: 'other', tool: 'create_issue' })).toBe(0);
  });

  it('is low after few conversations', () => {
    expect(chanceOf(repeated(1, uses('github', 'create_issue')), CREATE)).toBeCloseTo(1 / 3);
    expect(chanceOf(repeated(3, uses('github', 'create_issue')), CREATE)).toBe(1);
  });

  it('depends more on recent conversations than on old ones', () => {
    let counts = repeated(10, uses('github', 'create_issue'));
    for (let time = 0; time < 10; time += 1) {
      counts = withUses(counts, uses('github', 'list_issues'), 28 * DAY);
    }
    expect(chanceOf(counts, CREATE)).toBeCloseTo(0.2);
    expect(chanceOf(counts, { server: 'github', tool: 'list_issues' })).toBeCloseTo(0.8);
  });

  it('is forgotten after a few months', () => {
    const old = repeated(3, uses('github', 'create_issue'));
    const counts = withUses(old, uses('other', 'x'), 120 * DAY);
    expect([...counts.keys()]).toEqual(['other']);
  });

  it('does not change with a clock that was set back', () => {
    const counts = repeated(4, uses('github', 'create_issue'), 100 * DAY);
    expect(chanceOf(withUses(counts, uses('github', 'create_issue'), 0), CREATE)).toBe(1);
  });
});

describe('the counts of uses', () => {
  const name = fc.string({ maxLength: 300 });
  const added = fc.record({
    servers: fc.array(name, { maxLength: 4 }).map((names) => new Set(names)),
    tools: fc.array(fc.record({ server: name, tool: name }), { maxLength: 4 }),
  });
  const history = fc.array(fc.tuple(added, fc.integer({ min: 0, max: 400 * DAY })), {
    maxLength: 12,
  });
  const after = (given: readonly (readonly [NewUses, number])[]): UseCounts =>
    given.reduce((counts, [one, now]) => withUses(counts, one, now), NONE);

  it('survive being written and read', () => {
    fc.assert(
      fc.property(history, (given) => {
        const written = formatCounts(after(given));
        expect(formatCounts(readCounts(written))).toBe(written);
      }),
    );
  });

  it('always yield a valid probability', () => {
    fc.assert(
      fc.property(history, (given) => {
        const counts = after(given);
        for (const [server, { tools }] of counts) {
          for (const tool of tools.keys()) {
            const chance = chanceOf(counts, { server, tool });
            expect(chance).toBeGreaterThan(0);
            expect(chance).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });

  it('keep the most used of too many servers and tools, and no overlong names', () => {
    let counts = repeated(2, uses('github', 'create_issue'));
    for (let at = 0; at < 300; at += 1) counts = withUses(counts, uses(`s${at}`), 0);
    for (let at = 0; at < 150; at += 1) counts = withUses(counts, uses('github', `t${at}`), 0);
    counts = withUses(counts, uses('x'.repeat(10_000), 'y'), 0);
    counts = withUses(counts, uses('github', 'y'.repeat(10_000)), 0);
    expect(counts.size).toBe(200);
    expect(counts.get('github')?.tools.size).toBe(100);
    expect(counts.get('github')?.tools.has('create_issue')).toBe(true);
    expect(formatCounts(counts).length).toBeLessThan(20_000);
  });

  it.for([
    '',
    'null',
    '[]',
    '{"servers":{}}',
    '{"servers":[null,1,[],{"server":1},{"server":"a","at":-1,"conversations":1}]}',
    '{"servers":[{"server":"a","at":1,"conversations":"9","tools":[]}]}',
  ])('are empty if the file contains %j', (text) => {
    expect(readCounts(text)).toEqual(NONE);
  });

  it('skip broken entries, and keep the others', () => {
    const text =
      '{"servers":[{"server":"__proto__","at":1,"conversations":2,"tools":[["a",1],["b"],[1,2],"c",["d",-1]]},7]}';
    expect(readCounts(text)).toEqual(
      new Map([['__proto__', { at: 1, conversations: 2, tools: new Map([['a', 1]]) }]]),
    );
  });
});
