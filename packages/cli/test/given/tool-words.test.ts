import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { toolWords } from '../../src/given/tool-words.ts';
import { UsageError } from '../../src/usage-error.ts';

describe('the words that name a tool', () => {
  verifies('CLI-13');

  it.each([
    [
      ['files', 'read', 'path=a.b/c'],
      ['files', 'read', 'path=a.b/c'],
    ],
    [
      ['files/read', 'path=a'],
      ['files', 'read', 'path=a'],
    ],
    [
      ['files.read', 'path=a'],
      ['files', 'read', 'path=a'],
    ],
    [['files/v1.read/all'], ['files', 'v1.read/all']],
    [['files.read/all'], ['files', 'read/all']],
    [['files'], ['files']],
    [['files/'], ['files/']],
    [['.read'], ['.read']],
    [[], []],
  ])('%j are parsed as %j', (given, words) => {
    expect(toolWords(given)).toEqual(words);
  });

  it('are rejected with arguments in parentheses, and the error shows the correct form', () => {
    expect(() => toolWords(['files.read(path: "a")'])).toThrow(
      new UsageError(
        'arguments in parentheses are not understood',
        'write them as words or as one JSON object: plugboard call files read KEY=VALUE',
      ),
    );
  });
});
