import { verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Run, sandbox } from '../sandbox.ts';

const LOCAL = '.plugboard/settings.local.json';
const USER = '../home/.config/plugboard/settings.json';

function said(stderr: string): Run {
  return { code: 0, stdout: '', stderr };
}

function refused(stderr: string): Run {
  return { code: 1, stdout: '', stderr };
}

describe.concurrent('plugboard disable', () => {
  it('disables a server for one person in this project, in an entry with nothing else', async ({
    expect,
  }) => {
    verifies('CFG-14');
    await using box = await sandbox({ a: { command: 'a' } });
    const before = await box.read('.mcp.json');
    expect(await box.run(['disable', 'a'])).toEqual(said(`Disabled "a" in ${LOCAL}.\n`));
    expect(JSON.parse(await box.read(LOCAL))).toEqual({ mcpServers: { a: { disabled: true } } });
    expect(await box.read('.mcp.json')).toBe(before);
  });

  it('changes the entry of the scope itself if there is one, and keeps its formatting', async ({
    expect,
  }) => {
    await using box = await sandbox();
    const text = (disabled: string) => `{
  "mcpServers": {
    // the team's
    "a": { "command": "a"${disabled} }, // mind the gap
    "b": { "command": "b" }
  }
}
`;
    await box.write('.mcp.json', text(''));
    expect(await box.run(['disable', 'a', '--scope', 'project'])).toEqual(
      said('Disabled "a" in .mcp.json.\n'),
    );
    expect(await box.read('.mcp.json')).toBe(text(', "disabled": true'));
    const list = await box.run(['list', '--json']);
    expect(documentOf(list)).toMatchObject({
      servers: [{ name: 'a', state: 'disabled' }, { name: 'b' }],
    });
    expect(await box.run(['disable', 'a'])).toEqual(said('"a" is disabled already.\n'));
    expect(await box.run(['disable', 'a', '-s', 'project'])).toEqual(
      said('"a" is disabled already.\n'),
    );
    expect(await box.run(['enable', 'a', '-s', 'project'])).toEqual(
      // The server was not trusted before either.
      said(`Enabled "a" in .mcp.json.
Note: its command comes from .mcp.json:4:12.
It starts once you trust it: plugboard trust a
`),
    );
    expect(await box.read('.mcp.json')).toBe(text(', "disabled": false'));
  });

  it('edits the file with the entry, although other edits of its scope go elsewhere', async ({
    expect,
  }) => {
    await using box = await sandbox();
    await box.write('.claude/settings.local.json', '{"mcpServers":{"a":{"command":"a"}}}');
    expect(await box.run(['disable', 'a'])).toEqual(
      said('Disabled "a" in .claude/settings.local.json.\n'),
    );
    expect(await box.read('.claude/settings.local.json')).toBe(
      '{"mcpServers":{"a":{"command":"a", "disabled": true}}}',
    );
  });

  it('reports a stronger entry that keeps it enabled', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a', disabled: false } });
    expect(await box.run(['disable', 'a', '--scope', 'user'])).toEqual(
      said(`Disabled "a" in ~/.config/plugboard/settings.json.
Note: "a" is still enabled, since .mcp.json:3:5 counts more.
`),
    );
    expect(JSON.parse(await box.read(USER))).toEqual({ mcpServers: { a: { disabled: true } } });
  });

  it('disables a server with a broken entry', async ({ expect }) => {
    await using box = await sandbox({ a: { comand: 'a' } });
    expect(await box.run(['disable', 'a', '-s', 'project'])).toEqual(
      said('Disabled "a" in .mcp.json.\n'),
    );
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({
      mcpServers: { a: { comand: 'a', disabled: true } },
    });
  });
});

describe.concurrent('plugboard enable', () => {
  it('reverts disable completely', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a' } });
    await box.run(['disable', 'a']);
    expect(await box.run(['enable', 'a'])).toEqual(said(`Enabled "a" in ${LOCAL}.\n`));
    expect(JSON.parse(await box.read(LOCAL))).toEqual({ mcpServers: {} });
    expect(await box.run(['enable', 'a'])).toEqual(said('"a" is not disabled.\n'));
  });

  it('overrides a weaker entry that disables the server', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a', disabled: true } });
    const before = await box.read('.mcp.json');
    expect(await box.run(['enable', 'a'])).toEqual(said(`Enabled "a" in ${LOCAL}.\n`));
    expect(JSON.parse(await box.read(LOCAL))).toEqual({ mcpServers: { a: { disabled: false } } });
    expect(await box.read('.mcp.json')).toBe(before);
  });

  it('reports a stronger entry that keeps it disabled', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a', disabled: true } });
    expect(await box.run(['enable', 'a', '--scope', 'user'])).toEqual(
      said(`Enabled "a" in ~/.config/plugboard/settings.json.
Note: "a" is still disabled, since .mcp.json:3:5 counts more.
`),
    );
  });

  it('reports why a server is unusable', async ({ expect }) => {
    await using box = await sandbox({ a: { args: [] } });
    const run = await box.run(['enable', 'a']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('error: server "a" cannot be used');
    expect(run.stderr).toContain('.mcp.json:3:5');
  });
});

describe.concurrent('plugboard disable and enable', () => {
  it.for(['enable', 'disable'])('%s suggests the nearest name', async (command, { expect }) => {
    verifies('CLI-05');
    await using box = await sandbox({ files: { command: 'a' } });
    expect(await box.run([command, 'file'])).toEqual(
      refused('error: there is no server "file"\n  fix: did you mean "files"?\n'),
    );
    expect(await box.run([command, 'files', '--scope', 'team'])).toEqual(
      refused('error: there is no scope "team"\n  fix: use one of: local, project, user\n'),
    );
  });

  it('print the change and the resulting state with --json', async ({ expect }) => {
    verifies('CLI-03');
    await using box = await sandbox({ a: { command: 'a' } });
    const file = `${box.project}/.mcp.json`;
    const documents = [];
    for (const args of [
      ['disable', 'a', '-s', 'project'],
      ['disable', 'a', '-s', 'project'],
      ['disable', 'a'],
      ['enable', 'a', '-s', 'project'],
      ['enable', 'a'],
    ]) {
      documents.push(documentOf(await box.run([...args, '--json'])));
    }
    expect(documents).toEqual([
      { kind: 'disabled', name: 'a', file, state: 'disabled' },
      { kind: 'unchanged', name: 'a', file, state: 'disabled' },
      { kind: 'unchanged', name: 'a', file: null, state: 'disabled' },
      { kind: 'enabled', name: 'a', file, state: 'enabled' },
      { kind: 'unchanged', name: 'a', file: null, state: 'enabled' },
    ]);
  });
});
