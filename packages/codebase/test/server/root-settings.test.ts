import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { parseHosts, parseRoots } from '../../src/server/root-settings.ts';

describe('roots of the settings', () => {
  verifies('COD-24');

  it('include those outside the project, with their names', () => {
    const roots = ['~/library', { name: 'docs', path: '/srv/docs' }, 'https://github.com/a/b.git'];
    expect(parseRoots(roots, { besides: '/home/me/project', home: '/home/me' })).toEqual([
      { path: '/home/me/library' },
      { name: 'docs', path: '/srv/docs' },
      { path: 'https://github.com/a/b.git' },
    ]);
  });

  it('leave out relative ones, those inside the project, and those that contain it', () => {
    const roots = ['~/project', '~/', '/home/me/project/src', 'library', 7, { name: 'x' }];
    expect(parseRoots(roots, { besides: '/home/me/project', home: '/home/me' })).toEqual([]);
    expect(parseRoots(undefined, { besides: '/a', home: '/b' })).toEqual([]);
  });

  it('allow only hosts that are strings', () => {
    expect(parseHosts(['github.com', 1, null])).toEqual(['github.com']);
    expect(parseHosts('github.com')).toEqual([]);
  });
});
