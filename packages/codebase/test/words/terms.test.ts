import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from '../../src/words/stem.ts';
import { termsOf, identifierWords } from '../../src/words/terms.ts';

describe('the terms of code', () => {
  it('are the words of its identifiers, as stems, and each identifier as a whole', () => {
    expect(termsOf('parseHTTPRequests(raw_text)')).toEqual([
      'pars',
      'http',
      'request',
      'parsehttprequest',
      'raw',
      'text',
      'rawtext',
    ]);
  });

  it('repeat words that occur twice, and leave out single letters and digits', () => {
    expect(termsOf('x = token + token2 * i')).toEqual(['token', 'token']);
  });

  it('contain an identifier of one word once', () => {
    expect(termsOf('server')).toEqual(['server']);
  });

  it('leave out identifiers that are too long to be typed', () => {
    const long = `${'a'.repeat(40)}_${'b'.repeat(40)}`;
    expect(termsOf(long)).toEqual(['a'.repeat(40), 'b'.repeat(40)]);
    expect(termsOf('c'.repeat(65))).toEqual([]);
  });

  it('are deterministic, in lower case, and within the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(50), (text, most) => {
        const terms = termsOf(text, { most });
        expect(termsOf(text, { most })).toEqual(terms);
        expect(terms.length).toBeLessThanOrEqual(most);
        expect(terms).toEqual(terms.map((term) => term.toLowerCase()));
        expect(terms.every((term) => term.length > 0 && term.length <= 64)).toBe(true);
      }),
    );
  });

  it('are the same for every spelling of an identifier', () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), (words) => {
        const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
        const camel = words.map((text, index) => (index === 0 ? text : capital(text))).join('');
        expect(identifierWords(camel)).toEqual(words.map(stem));
        expect(identifierWords(words.join('_'))).toEqual(words.map(stem));
        expect(termsOf(camel)).toEqual(termsOf(words.join('_').toUpperCase()));
      }),
    );
  });
});

describe('a stem', () => {
  it.each([
    [['parse', 'parses', 'parsed', 'parsing']],
    [['query', 'queries', 'querying']],
    [['map', 'maps', 'mapped', 'mapping']],
    [['match', 'matches', 'matching', 'matched']],
    [['class', 'classes']],
    [['serialize', 'serializes', 'serializer', 'serialization', 'serialise']],
    [['validate', 'validates', 'validator', 'validation', 'validating']],
    [['connect', 'connection', 'connected', 'connector']],
    [['route', 'routes', 'routing']],
  ])('is one for %j', (forms) => {
    expect([...new Set(forms.map(stem))]).toHaveLength(1);
  });

  it.each([
    ['string', 'str'],
    ['status', 'statu'],
    ['this', 'thi'],
    ['process', 'proces'],
    ['router', 'route'],
    ['need', 'ne'],
  ])('of %s is not that of %s', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });

  it('is never empty and never longer than the word', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(stem(word).length).toBeGreaterThan(0);
        expect(stem(word).length).toBeLessThanOrEqual(word.length);
      }),
    );
  });
});
