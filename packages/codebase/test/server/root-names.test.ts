import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { nameRoots } from '../../src/server/root-names.ts';

function namesOf(...roots: readonly (string | { name: string; path: string })[]) {
  const named = nameRoots(roots.map((root) => (typeof root === 'string' ? { path: root } : root)));
  return named.ok ? named.value.map(({ name }) => name) : named.error;
}

describe('the names of roots', () => {
  verifies('COD-24');

  it('are those of their folders, with as much of the path as distinguishes them', () => {
    expect(namesOf('/code/api', '/code/web')).toEqual(['api', 'web']);
    expect(namesOf('/a/src', '/b/src', '/c')).toEqual(['a-src', 'b-src', 'c']);
    expect(namesOf('/x/a/src', '/y/a/src')).toEqual(['x-a-src', 'y-a-src']);
    expect(namesOf('/a-b/c', '/a/b-c')).toEqual(['c', 'b-c']);
    expect(namesOf('/code/.dotfiles', '/code/my files!')).toEqual(['dotfiles', 'my-files-']);
  });

  it('are those that are given, and no other root gets one of them', () => {
    expect(namesOf({ name: 'web', path: '/a/site' }, '/b/web')).toEqual(['web', 'b-web']);
    expect(namesOf({ name: 'b-web', path: '/a' }, { name: 'web', path: '/c' }, '/b/web')).toEqual([
      'b-web',
      'web',
      'web-2',
    ]);
  });

  it.each(['', '.', '..', 'a/b', 'a*', '-x', 'a:b', 'x'.repeat(65)])(
    'are refused where they are no single part of a path, as %j',
    (name) => {
      expect(namesOf({ name, path: '/a' }, '/b')).toContain('cannot be the name of a root');
    },
  );

  it('are refused if repeated, as are repeated roots and roots inside each other', () => {
    expect(namesOf({ name: 'x', path: '/a' }, { name: 'x', path: '/b' })).toBe(
      'two roots are called "x"',
    );
    expect(namesOf('/a', '/b', '/a')).toBe('the root /a is named twice');
    expect(namesOf('/a/b', '/a')).toBe(
      'the root /a/b lies in the root /a; name only the outer one',
    );
    expect(namesOf('/a', '/a-b', '/ab')).toEqual(['a', 'a-b', 'ab']);
    expect(namesOf('/', '/a')).toContain('lies in the root /');
    expect(namesOf()).toBe('no root is named');
  });
});
