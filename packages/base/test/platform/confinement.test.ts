import { describe, expect, it } from 'vitest';
import { isWithin, realFolder } from '../../src/platform/index.ts';

describe('a path', () => {
  it.each([
    ['/root', true],
    ['/root/', true],
    ['/root/a/b', true],
    ['/root/..a', true],
    ['/rooted', false],
    ['/', false],
    ['/root/../etc', false],
    ['/root/a/../../etc', false],
  ])('%s lies within /root: %s', (path, expected) => {
    expect(isWithin('/root', path)).toBe(expected);
  });
});

describe('a folder to work in', () => {
  it.runIf(process.platform === 'linux')('is never one of the kernel', async () => {
    expect(await Promise.all(['/proc/self', '/sys', '/dev'].map(realFolder))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
