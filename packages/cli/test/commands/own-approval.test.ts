// Adding a server by command approves what the user wrote, and nothing that others wrote.

import { verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { type Run, type Sandbox, sandbox } from '../sandbox.ts';

const SETTINGS = '../home/.config/plugboard/settings.json';
const LOCAL = '.plugboard/settings.local.json';

const written = (servers: object): string => JSON.stringify({ mcpServers: servers });

async function stateOf(box: Sandbox, name: string): Promise<string | undefined> {
  const { stdout } = await box.run(['list', '--json']);
  const { servers } = JSON.parse(stdout) as { servers: { name: string; state: string }[] };
  return servers.find((server) => server.name === name)?.state;
}

const ADDS: readonly (readonly [string, readonly string[]])[] = [
  ['add', ['add', 'a', '--', 'run-a']],
  ['add --scope project', ['add', 'a', '--scope', 'project', '--', 'run-a']],
  ['add of a url', ['add', 'a', 'https://example.com/mcp', '-H', 'X-Key: ${KEY:-k}']],
  ['add-json', ['add-json', 'a', '{ "command": "run-a", "env": { "A": "b" } }']],
  ['add --json', ['add', 'a', '--json', '--', 'run-a']],
];

describe.concurrent('a server that the user adds by command', () => {
  verifies('CFG-11');

  it.for(ADDS)('is approved by %s', async ([, args], { expect }) => {
    await using box = await sandbox();
    expect((await box.run(args)).code).toBe(0);
    expect(await stateOf(box, 'a')).toBe('idle');
  });

  it.for<[string, string, object, string]>([
    ['a variable', '.mcp.json', { env: { NODE_OPTIONS: '-r ./x' } }, 'env.NODE_OPTIONS'],
    ['its folder', '.claude/settings.local.json', { cwd: '.' }, 'cwd'],
    ['its arguments', '.mcp.json', { args: ['evil'] }, 'args'],
  ])(
    'is not approved together with %s of another file',
    async ([, file, patch, field], { expect }) => {
      await using box = await sandbox();
      await box.write(file, written({ a: patch }));
      // Without its own arguments, it would get those of the repository.
      await box.write(SETTINGS, written({ a: { command: 'run-a' } }));
      const { stderr } = await box.run(['add', 'a', '--scope', 'user', '--force', '--', 'run-b']);
      expect(stderr).toContain(`Note: its ${field} comes from ${file}:1:`);
      expect(stderr).toMatch(/\nIt starts once you trust it: plugboard trust a\n$/);
      expect(await stateOf(box, 'a')).toBe('untrusted');
    },
  );

  it('is not approved if the repository defines it in a stronger file', async ({ expect }) => {
    await using box = await sandbox();
    await box.write(LOCAL, written({ a: { command: 'evil' } }));
    const { stderr } = await box.run(['add', 'a', '--scope', 'project', '--', 'run-a']);
    expect(stderr).toContain('Note: its command comes from .plugboard/settings.local.json:1:');
    expect(await stateOf(box, 'a')).toBe('untrusted');
  });

  it('is not approved together with an entry of the same name in a committed local file', async ({
    expect,
  }) => {
    await using box = await sandbox();
    await box.write(LOCAL, written({ a: { env: { NODE_OPTIONS: '-r ./evil.js' } } }));
    expect((await box.run(['add', 'a', '--', 'run-a'])).code).toBe(1);
    expect((await box.run(['add', 'a', '--force', '--', 'run-a'])).code).toBe(0);
    expect(await stateOf(box, 'a')).toBe('idle');
    expect(JSON.parse(await box.read(LOCAL))).toEqual({ mcpServers: { a: { command: 'run-a' } } });
  });

  it('is not approved together with settings of the user that lie in the project', async ({
    expect,
  }) => {
    await using box = await sandbox();
    const patch = { env: { NODE_OPTIONS: '-r ./evil.js' } };
    await box.write('config/plugboard/settings.json', written({ a: patch }));
    const env = { XDG_CONFIG_HOME: `${box.project}/config` };
    const { stderr } = await box.run(['add', 'a', '--', 'run-a'], { env });
    expect(stderr).toContain('Note: its env.NODE_OPTIONS comes from config/plugboard/settings');
    expect(stderr).toMatch(/\nIt starts once you trust it: plugboard trust a\n$/);
  });

  it('is not approved together with the variables of a file that it names', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('.env', 'NODE_OPTIONS=--require ./evil.js\n');
    const entry = '{ "command": "run-a", "envFile": ".env" }';
    expect(await box.run(['add-json', 'a', entry, '--scope', 'project'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Added "a" to .mcp.json.
Try it: plugboard tools a
Note: .env sets NODE_OPTIONS.
It starts once you trust it: plugboard trust a
`,
    });
    expect(await stateOf(box, 'a')).toBe('untrusted');
  });

  it('is approved as written, and needs approval after any change', async ({ expect }) => {
    await using box = await sandbox();
    await box.run(['add', 'a', '--scope', 'project', '--', 'run-a']);
    await box.write('.mcp.json', written({ a: { command: 'run-a', args: ['more'] } }));
    expect(await stateOf(box, 'a')).toBe('untrusted');
  });
});

describe.concurrent('plugboard enable', () => {
  verifies('CFG-11');

  it('enables a server of the user here, and approves that', async ({ expect }) => {
    await using box = await sandbox();
    await box.write(SETTINGS, written({ a: { command: 'run-a', disabled: true } }));
    const { code, stderr } = await box.run(['enable', 'a']);
    expect([code, stderr.includes('trust')]).toEqual([0, false]);
    expect(await stateOf(box, 'a')).toBe('idle');
  });

  it('does not approve a server of the repository', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('.mcp.json', written({ a: { command: 'evil', disabled: true } }));
    const { stderr } = await box.run(['enable', 'a']);
    expect(stderr).toContain('Note: its command comes from .mcp.json:1:21.\n');
    expect(stderr).toContain('It starts once you trust it: plugboard trust a\n');
    expect(await stateOf(box, 'a')).toBe('untrusted');
  });

  it('keeps the approval from before the server was disabled', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'run-a' } });
    await box.write(SETTINGS, written({ a: { disabled: true } }));
    expect(await stateOf(box, 'a')).toBe('disabled');
    await box.run(['enable', 'a']);
    expect(await stateOf(box, 'a')).toBe('idle');
  });
});

describe.concurrent('the approval of imported servers', () => {
  verifies('CFG-11', 'CFG-13');

  async function withHosts(): Promise<Sandbox> {
    const box = await sandbox();
    await box.write('../home/.cursor/mcp.json', written({ mine: { command: 'run-mine' } }));
    await box.write('.cursor/mcp.json', written({ theirs: { command: 'evil' } }));
    return box;
  }

  it.for(['local', 'project'])(
    'covers in the %s scope the servers of the user, and nothing else',
    async (scope, { expect }) => {
      await using box = await withHosts();
      const importing = (...args: readonly string[]): Promise<Run> =>
        box.run(['import', 'cursor', '--scope', scope, ...args]);
      expect((await importing('--only', 'mine')).stderr).not.toContain('trust');
      const { stderr } = await importing('--only', 'theirs');
      expect(stderr).toMatch(/\n"theirs" starts once you trust it: plugboard trust theirs\n$/);
      expect([await stateOf(box, 'mine'), await stateOf(box, 'theirs')]).toEqual([
        'idle',
        'untrusted',
      ]);
    },
  );

  it('does not cover what the repository adds to them', async ({ expect }) => {
    await using box = await withHosts();
    await box.write('.mcp.json', written({ mine: { env: { NODE_OPTIONS: '-r ./x' } } }));
    const { stderr } = await box.run(['import', 'cursor', '--only', 'mine']);
    expect(stderr).toContain('Note: its env.NODE_OPTIONS comes from .mcp.json:1:');
    expect(await stateOf(box, 'mine')).toBe('untrusted');
  });
});
