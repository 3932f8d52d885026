import { describe, expect, it } from 'vitest';
import { readSlashLine, splitQuotedWords } from '../../src/chat/slash-line.ts';

describe('a line that begins with a slash', () => {
  it('is split into the command and its words', () => {
    expect(readSlashLine('/call files read path="a b.txt" n:=3')).toEqual({
      name: 'call',
      words: ['files', 'read', 'path=a b.txt', 'n:=3'],
      rest: 'files read path="a b.txt" n:=3',
    });
  });

  it('may be a prompt of a server', () => {
    expect(readSlashLine('/docs:summary topic=tests')).toEqual({
      name: 'docs:summary',
      words: ['topic=tests'],
      rest: 'topic=tests',
    });
  });

  it.each(['/usr/bin/env says no', '/ help', '//', 'look at /help', ''])(
    'is not a command when it reads %j',
    (text) => {
      expect(readSlashLine(text)).toBeUndefined();
    },
  );
});

describe('splitting a slash line into words', () => {
  it.each([
    ['a  b\tc', ['a', 'b', 'c']],
    [`'it''s' ""`, ['its', '']],
    [`say="he said \\"`, ['say=he said \\']],
    ['', []],
  ])('handles %j', (text, words) => {
    expect(splitQuotedWords(text)).toEqual(words);
  });
});
