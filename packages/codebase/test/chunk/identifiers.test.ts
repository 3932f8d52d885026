import { describe, expect, it } from 'vitest';
import { identifiersOf, splitIdentifier } from '../../src/chunk/identifiers.ts';

describe('an identifier', () => {
  it.each([
    ['parseHTTPRequest', ['parse', 'http', 'request']],
    ['snake_case_name', ['snake', 'case', 'name']],
    ['SCREAMING_CASE', ['screaming', 'case']],
    ['utf8Decoder', ['utf', '8', 'decoder']],
    ['$ZodType', ['zod', 'type']],
    ['kebab-name', ['kebab', 'name']],
    ['größeÄndern', ['größe', 'ändern']],
    ['名前', ['名前']],
    ['_', []],
    ['', []],
  ])('%s is split into words', (identifier, words) => {
    expect(splitIdentifier(identifier)).toEqual(words);
  });

  it('is found as often as it occurs in a text', () => {
    expect(identifiersOf('a1.b_c = $d(a1, 2x, "é")')).toEqual(['a1', 'b_c', '$d', 'a1', 'x', 'é']);
  });
});
