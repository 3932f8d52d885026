import { describe, expect, it } from 'vitest';
import { mentionsIn } from '../../src/chat/mentions.ts';

describe('a mention in a message', () => {
  it('names a file, with or without spaces', () => {
    expect(mentionsIn('compare @src/a.ts, and @"my notes.md".')).toEqual([
      { kind: 'path', text: '@src/a.ts', path: 'src/a.ts' },
      { kind: 'path', text: '@"my notes.md"', path: 'my notes.md' },
    ]);
  });

  it('names a resource of a server', () => {
    expect(mentionsIn('read @docs:file:///readme.md')).toEqual([
      {
        kind: 'resource',
        text: '@docs:file:///readme.md',
        server: 'docs',
        uri: 'file:///readme.md',
      },
    ]);
  });

  it('is found once, however often it is repeated', () => {
    expect(mentionsIn('@a.ts @a.ts')).toHaveLength(1);
  });

  it('is not an e-mail address', () => {
    expect(mentionsIn('write to me@example.com')).toEqual([]);
  });
});
