import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { documentOf, sandbox } from '../sandbox.ts';

describe('plugboard add without a name', () => {
  verifies('CFG-18');

  it('derives the name from the package, and never from the runner', async () => {
    await using box = await sandbox({ notes: { command: 'other' } });
    const { code, stderr } = await box.run(['add', '--', 'npx', '-y', '@acme/server-notes@1.2']);
    expect([code, stderr]).toEqual([
      0,
      `The name "notes-2" is made from what it runs; give another before it: plugboard add NAME …
Added "notes-2" to .plugboard/settings.local.json.
Try it: plugboard tools notes-2
`,
    ]);
    expect(JSON.parse(await box.read('.plugboard/settings.local.json'))).toEqual({
      mcpServers: { 'notes-2': { command: 'npx', args: ['-y', '@acme/server-notes@1.2'] } },
    });
  });

  it('derives the name from the host of a URL', async () => {
    await using box = await sandbox();
    const run = await box.run(['add', 'https://mcp.example.com/mcp', '--json']);
    expect(documentOf(run)).toMatchObject({ kind: 'added', name: 'example' });
  });

  it('still accepts a name before the command, and does not ask for a missing one', async () => {
    await using box = await sandbox();
    await box.run(['add', 'mine', '--', 'npx', '-y', 'pkg']);
    expect(await box.read('.plugboard/settings.local.json')).toContain('"mine"');
    expect((await box.run(['add', 'mine'])).stderr).toContain("missing required argument 'target'");
  });
});

describe('a server whose invalid name in .mcp.json was replaced', () => {
  verifies('CFG-07');

  it('is listed, explained, disabled and removed by the derived name', async () => {
    await using box = await sandbox();
    await box.write('.mcp.json', '{ "mcpServers": { "My Server": { "command": "one" } } }');
    await box.trust();
    const list = await box.run(['list']);
    expect(list.code).toBe(0);
    expect(list.stdout).toContain('My-Server  idle');
    expect(list.stderr).toContain('so it is called "My-Server"');
    expect((await box.run(['explain', 'My-Server'])).stdout).toContain(
      'My-Server: idle\n  written as "My Server"\n',
    );
    await box.run(['disable', 'My-Server', '--scope', 'project']);
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({
      mcpServers: { 'My Server': { command: 'one', disabled: true } },
    });
    expect((await box.run(['remove', 'My-Server'])).code).toBe(0);
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({ mcpServers: {} });
  });
});
