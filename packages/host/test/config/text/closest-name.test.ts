import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestName, editDistance } from '../../../src/config/text/closest-name.ts';

describe('closestName', () => {
  it.each([
    ['comand', ['command', 'args'], 'command'],
    ['ulr', ['url', 'env'], 'url'],
    ['MCPSERVERS', ['mcpServers'], 'mcpServers'],
    ['githbu', ['gitlab', 'github'], 'github'],
    ['headers', ['headersHelper', 'headers'], 'headers'],
    ['frobnicate', ['command', 'args'], undefined],
    ['', ['a', 'bb'], 'a'],
    ['x', [], undefined],
  ])('for %j among %j is %j', (name, candidates, expected) => {
    expect(closestName(name, candidates)).toBe(expected);
  });

  it('prefers the first of equally near names', () => {
    expect(closestName('cat', ['bat', 'rat'])).toBe('bat');
  });

  it('always finds an exact match', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.nat(), (names, pick) => {
        const name = names[pick % names.length] ?? '';
        expect(closestName(name, names)?.toLowerCase()).toBe(name.toLowerCase());
      }),
    );
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['abc', 'abxc', 1],
    ['abc', 'xbc', 1],
    ['kitten', 'sitting', 3],
  ])('from %j to %j is %i', (from, to, expected) => {
    expect(editDistance(from, to)).toBe(expected);
  });

  it('is symmetric and zero only for equal words', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});
