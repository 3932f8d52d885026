import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../sandbox.ts';

const FILE = '../home/.claude.json';

async function withClaudeCode(): Promise<Sandbox> {
  const box = await sandbox();
  await box.write(FILE, '{ "mcpServers": { "a": { "type": "stdio", "command": "one" } } }');
  return box;
}

describe('a server of Claude Code', () => {
  verifies('CFG-17');

  it('is listed, can be disabled and enabled, and its file stays unchanged', async () => {
    await using box = await withClaudeCode();
    const before = await box.read(FILE);
    expect(await box.run(['list'])).toEqual({
      code: 0,
      stdout: `NAME  STATE  TYPE   SCOPE        CONFIGURED AT        RUNS
a     idle   stdio  claude-code  ~/.claude.json:1:19  one
`,
      stderr: '',
    });
    expect((await box.run(['disable', 'a'])).stderr).toBe(
      'Disabled "a" in .plugboard/settings.local.json.\n',
    );
    expect((await box.run(['list'])).stdout).toContain('a     disabled  stdio  claude-code');
    expect((await box.run(['enable', 'a'])).stderr).toBe(
      'Enabled "a" in .plugboard/settings.local.json.\n',
    );
    expect(await box.read(FILE)).toBe(before);
  });

  it('is not removed: the error names its owner and what to do', async () => {
    await using box = await withClaudeCode();
    expect(await box.run(['remove', 'a'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: "a" is a server of Claude Code, whose own file is not changed here
  fix: switch it off: plugboard disable a, or remove it there: claude mcp remove a
`,
    });
  });

  it('is overridden by a server of the same name that is added here', async () => {
    await using box = await withClaudeCode();
    expect((await box.run(['add', 'a', '--scope', 'user', '--', 'mine'])).code).toBe(0);
    const { stdout } = await box.run(['explain', 'a']);
    expect(stdout).toContain('~/.claude.json:1:19 (claude-code)');
    expect(stdout).toContain('~/.config/plugboard/settings.json:3:5 (user)');
  });

  it('can be excluded by a setting of the user', async () => {
    await using box = await withClaudeCode();
    await box.write(
      '../home/.config/plugboard/settings.json',
      '{ "discover": { "claudeCode": false } }',
    );
    expect((await box.run(['list', '--json'])).stdout).not.toContain('claude-code');
  });
});
