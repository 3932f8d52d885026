import { describe, expect, it } from 'vitest';
import { shortPath } from '../../src/print/place.ts';

const HOME = '/home/me';

describe('a path in a message', () => {
  it.each([
    ['/home/me/work/a.json', '/home/me/work', 'a.json'],
    ['/home/me/.config/a.json', '/home/me/work', '~/.config/a.json'],
    ['/etc/a.json', '/home/me/work', '/etc/a.json'],
  ])('%s in folder %s is %s', (path, cwd, shown) => {
    expect(shortPath(path, { cwd, home: HOME })).toBe(shown);
  });

  it('begins with ~ in the home folder too, where the gateway in the background runs', () => {
    expect(shortPath('/home/me/.config/a.json', { cwd: HOME, home: HOME })).toBe(
      '~/.config/a.json',
    );
  });
});
