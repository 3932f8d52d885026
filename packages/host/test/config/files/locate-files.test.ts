import { tempFolder, verifies } from '@plugboard/testkit';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enterpriseFiles, locateFiles } from '../../../src/config/files/locate-files.ts';
import { targetFile } from '../../../src/config/files/target-file.ts';
import { testEnvironment } from '../test-environment.ts';

describe('locateFiles', () => {
  verifies('CFG-02');

  const shown = async (root: string, changes?: Parameters<typeof testEnvironment>[1]) =>
    (await locateFiles(testEnvironment(root, changes))).map(
      ({ scope, path, folder }) => `${scope} ${relative(root, path)} (${relative(root, folder)})`,
    );

  it('lists every folder up to the git root, nearest first, then the user files', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    const cwd = await folder.mkdir('project/sub');
    expect(await shown(folder.path, { cwd })).toEqual([
      'local project/sub/.plugboard/settings.local.json (project/sub)',
      'local project/sub/.claude/settings.local.json (project/sub)',
      'local project/.plugboard/settings.local.json (project)',
      'local project/.claude/settings.local.json (project)',
      'project project/sub/.mcp.json (project/sub)',
      'project project/sub/.plugboard/settings.json (project/sub)',
      'project project/sub/.claude/settings.json (project/sub)',
      'project project/.mcp.json (project)',
      'project project/.plugboard/settings.json (project)',
      'project project/.claude/settings.json (project)',
      'user home/.config/plugboard/settings.json (home)',
      'user home/.claude/settings.json (home)',
    ]);
  });

  const projectOnly = [
    'local project/.plugboard/settings.local.json (project)',
    'local project/.claude/settings.local.json (project)',
    'project project/.mcp.json (project)',
    'project project/.plugboard/settings.json (project)',
    'project project/.claude/settings.json (project)',
    'user home/.config/plugboard/settings.json (home)',
    'user home/.claude/settings.json (home)',
  ];

  it('stops at a .git file, as in a worktree', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('.git');
    await folder.write('project/.git', 'gitdir: elsewhere\n');
    expect(await shown(folder.path)).toEqual(projectOnly);
  });

  it('looks only in the working directory when there is no git root', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project');
    expect(await shown(folder.path)).toEqual(projectOnly);
  });

  it('does not read a user file as a project file when the walk reaches the home folder', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('home/.git');
    const cwd = await folder.mkdir('home/project');
    expect(await shown(folder.path, { cwd })).toEqual([
      'local home/project/.plugboard/settings.local.json (home/project)',
      'local home/project/.claude/settings.local.json (home/project)',
      'local home/.plugboard/settings.local.json (home)',
      'local home/.claude/settings.local.json (home)',
      'project home/project/.mcp.json (home/project)',
      'project home/project/.plugboard/settings.json (home/project)',
      'project home/project/.claude/settings.json (home/project)',
      'project home/.mcp.json (home)',
      'project home/.plugboard/settings.json (home)',
      'user home/.config/plugboard/settings.json (home)',
      'user home/.claude/settings.json (home)',
    ]);
  });

  it('honours XDG_CONFIG_HOME', async () => {
    await using folder = await tempFolder();
    const env = { XDG_CONFIG_HOME: join(folder.path, 'xdg') };
    expect((await shown(folder.path, { env })).slice(-2)).toEqual([
      'user xdg/plugboard/settings.json (home)',
      'user home/.claude/settings.json (home)',
    ]);
  });
});

describe('enterpriseFiles', () => {
  verifies('CFG-02');

  it.each([
    ['linux', '/etc/plugboard/'],
    ['darwin', '/Library/Application Support/Plugboard/'],
    ['win32', 'D:\\Programs\\Plugboard\\'],
  ] as const)('on %s are the two in %s', (platform, folder) => {
    const environment = testEnvironment('/r', {
      platform,
      env: { ProgramFiles: 'D:\\Programs' },
    });
    expect(
      enterpriseFiles(environment).map(({ scope, path, format }) => [scope, path, format]),
    ).toEqual([
      ['enterprise', `${folder}managed-mcp.json`, 'managed'],
      ['enterprise', `${folder}managed-settings.json`, 'policy'],
    ]);
  });
});

describe('targetFile', () => {
  it.each([
    ['local', 'project/.plugboard/settings.local.json'],
    ['project', 'project/.mcp.json'],
    ['user', 'home/.config/plugboard/settings.json'],
  ] as const)('for %s is %s, at the top of the project', async (scope, path) => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    const cwd = await folder.mkdir('project/deep/down');
    const environment = testEnvironment(folder.path, { cwd });
    expect(await targetFile(environment, scope)).toBe(join(folder.path, path));
  });

  it('is in the working directory when there is no git root', async () => {
    await using folder = await tempFolder();
    const cwd = await folder.mkdir('project/deep');
    const environment = testEnvironment(folder.path, { cwd });
    expect(await targetFile(environment, 'project')).toBe(join(cwd, '.mcp.json'));
  });
});
