import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { fittingPaths } from '../../src/server/tools/fuzzy-path.ts';

const PATHS = [
  'src/user/controller.ts',
  'src/user/controller.test.ts',
  'src/users.ts',
  'lib/UserController.java',
  'docs/user-guide.md',
  'package.json',
];

function first(query: string): string | undefined {
  return fittingPaths(PATHS, query, 1)[0]?.path;
}

describe('searching for a path as a person remembers it', () => {
  verifies('COD-17');

  it.each([
    ['controller.ts', 'src/user/controller.ts'],
    ['srcusrctl', 'src/user/controller.ts'],
    ['user controller', 'src/user/controller.ts'],
    ['UserCont', 'lib/UserController.java'],
    ['guide', 'docs/user-guide.md'],
    ['src/users', 'src/users.ts'],
    ['pakage.json', 'package.json'],
    ['contoller', 'src/user/controller.ts'],
  ])('finds %j', (asked, path) => {
    expect(first(asked)).toBe(path);
  });

  it('finds nothing if no path is similar', () => {
    expect(fittingPaths(PATHS, 'zzzqqq', 5)).toEqual([]);
    expect(fittingPaths(PATHS, '  ', 5)).toEqual([]);
  });
});
