import { chmod, readdir, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { neutralFolder, openStartFolder } from '../../src/platform/index.ts';
import { neutralIn, testEnvironment } from '../config/test-environment.ts';

describe('the neutral folder', () => {
  verifies('POL-11');

  it('is in the state folder, or at the root if a project contains that', () => {
    const outside = testEnvironment('/root');
    expect(neutralFolder(outside, '/root/project')).toBe(neutralIn('/root'));
    expect(neutralFolder(outside, '/root/home')).toBe(neutralIn('/root'));
    const inside = testEnvironment('/root', { env: { XDG_STATE_HOME: '/root/project/.state' } });
    expect(neutralFolder(inside, '/root/project')).toBe('/');
  });

  it('is created for its user alone, with a package.json at which npm ends its search', async () => {
    await using folder = await tempFolder();
    const environment = testEnvironment(folder.path);
    const neutral = neutralIn(folder.path);
    expect(openStartFolder(neutral, environment)).toBe(neutral);
    await chmod(neutral, 0o777);
    expect(openStartFolder(neutral, environment)).toBe(neutral);
    expect((await stat(neutral)).mode & 0o777).toBe(0o700);
    expect(await readdir(neutral)).toEqual(['package.json']);
  });

  it('is the root if it is a link, or cannot be created', async () => {
    await using folder = await tempFolder();
    const environment = testEnvironment(folder.path);
    const neutral = neutralIn(folder.path);
    openStartFolder(neutral, environment);
    await rm(neutral, { recursive: true });
    await symlink(await folder.mkdir('project'), neutral);
    expect(openStartFolder(neutral, environment)).toBe('/');
    const file = await folder.write('file', '');
    const state = { ...environment, paths: { ...environment.paths, state: file } };
    expect(openStartFolder(join(file, 'neutral'), state)).toBe('/');
  });

  it('does not replace any other folder', () => {
    expect(openStartFolder('/not/there', testEnvironment('/root'))).toBe('/not/there');
  });
});
