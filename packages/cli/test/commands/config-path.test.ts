import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';
import { documentOf, PLUGBOARD, sandbox } from '../sandbox.ts';

const MANAGED = '/etc/plugboard/managed-mcp.json';
const MANAGED_SETTINGS = '/etc/plugboard/managed-settings.json';

describe.concurrent('plugboard config path', () => {
  it('lists the files that are read, strongest first', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a' } });
    await box.write('.plugboard/settings.json', '{ oops');
    const { project, home } = box;
    expect(await box.run(['config', 'path'])).toEqual({
      code: 0,
      stdout: `SCOPE        STATE    FILE
enterprise   missing  ${MANAGED}
enterprise   missing  ${MANAGED_SETTINGS}
local        missing  ${project}/.plugboard/settings.local.json
local        missing  ${project}/.claude/settings.local.json
project      exists   ${project}/.mcp.json
project      broken   ${project}/.plugboard/settings.json
project      missing  ${project}/.claude/settings.json
user         missing  ${home}/.config/plugboard/settings.json
user         missing  ${home}/.claude/settings.json
claude-code  missing  ${home}/.claude.json
`,
      stderr: '',
    });
    expect(documentOf(await box.run(['config', 'path', '--json']))).toEqual({
      files: [
        ['enterprise', 'missing', MANAGED],
        ['enterprise', 'missing', MANAGED_SETTINGS],
        ['local', 'missing', `${project}/.plugboard/settings.local.json`],
        ['local', 'missing', `${project}/.claude/settings.local.json`],
        ['project', 'read', `${project}/.mcp.json`],
        ['project', 'invalid', `${project}/.plugboard/settings.json`],
        ['project', 'missing', `${project}/.claude/settings.json`],
        ['user', 'missing', `${home}/.config/plugboard/settings.json`],
        ['user', 'missing', `${home}/.claude/settings.json`],
        ['claude-code', 'missing', `${home}/.claude.json`],
      ].map(([scope, state, file]) => ({ file, scope, state, exists: state !== 'missing' })),
    });
  });

  it('prints only the file that edits of a scope go to', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a' } });
    const { project, home } = box;
    const files = {
      local: `${project}/.plugboard/settings.local.json`,
      project: `${project}/.mcp.json`,
      user: `${home}/.config/plugboard/settings.json`,
    };
    for (const [scope, file] of Object.entries(files)) {
      expect(await box.run(['config', 'path', '--scope', scope])).toEqual({
        code: 0,
        stdout: `${file}\n`,
        stderr: '',
      });
      expect(documentOf(await box.run(['config', 'path', '-s', scope, '--json']))).toEqual({
        file,
        scope,
        exists: scope === 'project',
      });
    }
  });

  it('prints a path that an editor can open', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a' } });
    const line = `cat "$("${process.execPath}" "${PLUGBOARD}" config path --scope project)"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', line], {
      cwd: box.project,
      env: box.env,
    });
    expect(stdout).toBe(await box.read('.mcp.json'));
  });

  it('refuses a scope without a file to edit', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run(['config', 'path', '--scope', 'enterprise'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no scope "enterprise"\n  fix: use one of: local, project, user\n',
    });
  });
});
