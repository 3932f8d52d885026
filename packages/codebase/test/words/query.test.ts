import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuery } from '../../src/words/query.ts';

describe('parsing a question', () => {
  it('extracts its terms, without stop words', () => {
    expect(readQuery('How does the retry policy work?')).toEqual({
      text: 'How does the retry policy work?',
      terms: [
        { term: 'retri', weight: 1 },
        { term: 'polici', weight: 1 },
        { term: 'work', weight: 0.3 },
        { term: 'retrypolici', weight: 0.5 },
        { term: 'policywork', weight: 0.5 },
      ],
      words: [
        { term: 'retri', weight: 1 },
        { term: 'polici', weight: 1 },
        { term: 'work', weight: 0.3 },
      ],
      compounds: [
        { term: 'retrypolici', of: ['retri', 'polici'] },
        { term: 'policywork', of: ['polici', 'work'] },
      ],
      symbols: [],
      isSymbolShaped: false,
      length: 3,
    });
  });

  it('keeps stop words when there are no other words', () => {
    expect(readQuery('what is this').words.map(({ term, weight }) => [term, weight])).toEqual([
      ['what', 1],
      ['is', 1],
      ['this', 1],
    ]);
    expect(readQuery('where used').words).toEqual([{ term: 'used', weight: 1 }]);
  });

  it('finds no terms in an empty question', () => {
    expect(readQuery(' ?! ')).toMatchObject({ terms: [], words: [], symbols: [], length: 0 });
  });

  it.each([
    'Router',
    'parseQuery',
    'snake_case',
    '$ZodType',
    'Foo.bar',
    'std::vec',
    'useState()',
    '#private',
  ])('recognizes a single name: %s', (text) => {
    expect(readQuery(text).isSymbolShaped).toBe(true);
  });

  it.each(['parse query', 'what is Router', 'fix the bug!', ''])(
    'does not take this for a single name: %j',
    (text) => {
      expect(readQuery(text).isSymbolShaped).toBe(false);
    },
  );

  it('keeps names in a sentence as they were typed', () => {
    const text = 'how does fetchUser call the HTTPServer with retry_count in JSON for Users';
    expect(readQuery(text).symbols).toEqual(['fetchUser', 'HTTPServer', 'retry_count']);
  });

  it.each([
    ['Q', ['Q']],
    ['what does Q combine', ['Q']],
    ['A plan that I have', []],
  ])('names of one letter in %j are %j', (text, names) => {
    const { symbols, terms } = readQuery(text);
    expect([
      symbols,
      terms.filter(({ term }) => term.length === 1).map(({ term }) => term),
    ]).toEqual([names, names]);
  });

  it('is bounded, however long the question is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), (text) => {
        const { terms, length, symbols } = readQuery(text);
        expect(length).toBeLessThanOrEqual(64);
        expect(symbols.length).toBeLessThanOrEqual(64);
        expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
        expect(terms.every(({ weight }) => weight > 0 && weight <= 1)).toBe(true);
      }),
    );
    expect(readQuery('word '.repeat(100_000)).length).toBe(64);
  });
});
