import { describe, expect, it } from 'vitest';
import { mentionsIn } from '../../src/chat/mentions.ts';

describe('what a message names', () => {
  it('is a file, with or without spaces', () => {
    expect(mentionsIn('compare @src/a.ts, and @"my notes.md".')).toEqual([
      { kind: 'path', text: '@src/a.ts', path: 'src/a.ts' },
      { kind: 'path', text: '@"my notes.md"', path: 'my notes.md' },
    ]);
  });

  it('is a resource of a server', () => {
    expect(mentionsIn('read @docs:file:///readme.md')).toEqual([
      {
        kind: 'resource',
        text: '@docs:file:///readme.md',
        server: 'docs',
        uri: 'file:///readme.md',
      },
    ]);
  });

  it('counts once, however often it is named', () => {
    expect(mentionsIn('@a.ts @a.ts')).toHaveLength(1);
  });

  it('is no address of a person', () => {
    expect(mentionsIn('write to me@example.com')).toEqual([]);
  });
});
