import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../../src/commands/split-words.ts';

describe('splitting a command line', () => {
  it.each([
    ['npx -y some-server .', ['npx', '-y', 'some-server', '.']],
    ['  a\t b ', ['a', 'b']],
    ['', []],
    [`run 'two words' "and 'more'"`, ['run', 'two words', "and 'more'"]],
    [`--name="a b"c ''`, ['--name=a bc', '']],
    [String.raw`a\ b "say \"hi\"" 'a\b'`, ['a b', 'say "hi"', String.raw`a\b`]],
    [String.raw`C:\tools\server.exe`, [String.raw`C:\tools\server.exe`]],
    ['x ${TOKEN} $HOME `y`', ['x', '${TOKEN}', '$HOME', '`y`']],
  ])('handles %s', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  it.each([`"open`, `it's`, `'a\\'b'`])('refuses an open quote: %s', (line) => {
    expect(splitWords(line)).toBeUndefined();
  });

  it('restores words in double quotes', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const quoted = words.map((word) => `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
        expect(splitWords(quoted.join(' '))).toEqual(words);
      }),
    );
  });
});
