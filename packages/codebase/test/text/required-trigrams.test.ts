import { describe, expect, it } from 'vitest';
import { type Need, requiredTrigrams } from '../../src/text/required-trigrams.ts';

/** `abc&(xyz|uvw)`, in the order of the pattern. */
function written(need: Need): string {
  switch (need.kind) {
    case 'any':
      return '*';
    case 'gram':
      return need.gram;
    case 'all':
      return need.of.map(written).join('&');
    case 'either':
      return `(${need.of.map(written).join('|')})`;
    default:
      return need satisfies never;
  }
}

describe('the trigrams that a match must contain', () => {
  it.each([
    ['abcd', 'abc&bcd'],
    ['ABc', 'abc'],
    ['ab', '*'],
    ['a.c', 'a.c'],
    ['abcéxyz', 'abc&xyz'],
  ])('for the literal %j is %s', (pattern, expected) => {
    expect(written(requiredTrigrams(pattern, 'literal'))).toBe(expected);
  });

  it.each([
    ['abc.*xyz', 'abc&xyz'],
    ['abc|xyz', '(abc|xyz)'],
    ['abc|x', '*'],
    ['foo(abc|xyz)bar', 'foo&(abc|xyz)&bar'],
    ['(abc)?xyz', 'xyz'],
    ['(abc)*', '*'],
    ['(abc)+', 'abc'],
    ['(abc){0,3}', '*'],
    ['(?:ab){2}', 'aba&bab'],
    ['abc{2}', 'abc&bcc'],
    ['abc{2,}', '*'],
    ['\\babc\\b{end}', 'abc'],
    ['^abc$', 'abc'],
    ['a[Bb]c', 'abc'],
    ['ab[cd]', '*'],
    ['ab[.]c', 'ab.&b.c'],
    ['a\\.b\\(', 'a.b&.b('],
    ['abc\\d+xyz', 'abc&xyz'],
    ['\\p{Greek}abc\\pLxyz', 'abc&xyz'],
    ['\\x61bcd\\u{61}xyz', 'bcd&xyz'],
    ['(?i)abc', 'abc'],
    ['(?i:abc)', 'abc'],
    ['(?P<name>abc)(?<other>xyz)', 'abcxyz'.replace(/.*/, 'abc&bcx&cxy&xyz')],
    ['(?x) a b c', '*'],
    ['[[:alpha:]]abc', '*'],
    ['[a&&b]abc', 'abc'],
    ['[]abc]xyz', 'xyz'],
    ['[^]]xyz', 'xyz'],
    ['(?=abc)', '*'],
    ['abc(', '*'],
    ['abc)', '*'],
    ['*abc', '*'],
    [`${'('.repeat(200)}abc${')'.repeat(200)}`, '*'],
    ['abc\\Qxyz', '*'],
  ])('for the regex %j is %s', (pattern, expected) => {
    expect(written(requiredTrigrams(pattern, 'regex'))).toBe(expected);
  });
});
