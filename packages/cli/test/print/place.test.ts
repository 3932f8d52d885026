import { describe, expect, it } from 'vitest';
import { shortPath } from '../../src/print/place.ts';

const HOME = '/home/me';

describe('a path as people are shown it', () => {
  it.each([
    ['/home/me/work/a.json', '/home/me/work', 'a.json'],
    ['/home/me/.config/a.json', '/home/me/work', '~/.config/a.json'],
    ['/etc/a.json', '/home/me/work', '/etc/a.json'],
  ])('%s is, in %s, %s', (path, cwd, shown) => {
    expect(shortPath(path, { cwd, home: HOME })).toBe(shown);
  });

  it('begins with ~ in the home folder too, where the gateway in the background says it', () => {
    expect(shortPath('/home/me/.config/a.json', { cwd: HOME, home: HOME })).toBe(
      '~/.config/a.json',
    );
  });
});
