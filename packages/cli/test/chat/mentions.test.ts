import { describe, expect, it } from 'vitest';
import { mentionsIn } from '../../src/chat/mentions.ts';

describe('a mention in a message', () => {
  it('names a file, with or without spaces', () => {
    expect(mentionsIn('compare @src/a.ts, and @"my notes.md".')).toEqual([
      { kind: 'path', path: 'src/a.ts' },
      { kind: 'path', path: 'my notes.md' },
    ]);
  });

  it('names a resource of a server', () => {
    expect(mentionsIn('read @docs:file:///readme.md')).toEqual([
      { kind: 'resource', server: 'docs', uri: 'file:///readme.md' },
    ]);
  });

  it('is found once, however often it is repeated', () => {
    expect(mentionsIn('@a.ts @a.ts')).toHaveLength(1);
  });

  it('is not an e-mail address', () => {
    expect(mentionsIn('write to me@example.com')).toEqual([]);
  });
});
