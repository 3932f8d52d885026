// Trust on a terminal and in scripts. Nothing of a repository runs before it is approved: every server here creates a file when
// it starts.

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { KEYS, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { atTerminal } from '../person-at-terminal.ts';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const SETTINGS = '../home/.config/plugboard/settings.json';

/** A working server that creates `started` in the project when it starts. */
function trap(changes: object = {}): object {
  const { command, args } = scriptedServer();
  return {
    command: '/bin/sh',
    args: ['-c', ': > started; exec "$0" "$@"', command, ...args],
    ...changes,
  };
}

const written = (servers: object): string => JSON.stringify({ mcpServers: servers });

async function repository(servers: object = { theirs: trap() }): Promise<Sandbox> {
  const box = await sandbox();
  await box.write('.mcp.json', written(servers));
  return box;
}

async function hasStarted(box: Sandbox): Promise<boolean> {
  return access(join(box.project, 'started')).then(
    () => true,
    () => false,
  );
}

const UNTRUSTED = `error: server "theirs" came with this folder or a plugin, and is not trusted yet
  at:  .mcp.json:1:16
  fix: see what it would run, and let it start: plugboard trust theirs
`;

describe.concurrent('a server that came with a repository', () => {
  verifies('CFG-11');

  it.for<[string, readonly string[]]>([
    ['call', ['call', 'theirs', 'echo', 'message=hi']],
    ['tools', ['tools', 'theirs']],
    ['tools of all', ['tools']],
    ['fresh tools', ['tools', 'theirs', '--refresh']],
  ])('is not started by %s, which explains what to do', async ([, args], { expect }) => {
    await using box = await repository();
    expect(await box.run(args)).toEqual({ code: 1, stdout: '', stderr: UNTRUSTED });
    expect(await hasStarted(box)).toBe(false);
  });

  it.for<[string, readonly string[]]>([
    ['list', ['list']],
    ['list --check', ['list', '--check']],
    ['get', ['get', 'theirs']],
    ['explain', ['explain', 'theirs']],
    ['doctor of it', ['doctor', 'theirs']],
  ])('is shown as untrusted by %s, and not started', async ([, args], { expect }) => {
    await using box = await repository();
    const { stdout, stderr } = await box.run(args);
    expect(`${stdout}${stderr}`).toMatch(/untrusted|not trusted yet/);
    expect(`${stdout}${stderr}`).toContain('plugboard trust theirs');
    expect(await hasStarted(box)).toBe(false);
  });

  it('is shown as untrusted by doctor without a name, and not started', async ({ expect }) => {
    await using box = await repository();
    expect(await box.run(['doctor'])).toEqual({
      code: 1,
      stdout: `untrusted  theirs  came with this folder or a plugin, and is not trusted yet

See more: plugboard doctor theirs
`,
      stderr: '',
    });
    expect(await hasStarted(box)).toBe(false);
  });

  it('has its own error code for programs', async ({ expect }) => {
    await using box = await repository();
    const run = await box.run(['call', 'theirs', 'echo', '--json']);
    expect([run.code, documentOf(run)]).toEqual([
      1,
      {
        error: {
          kind: 'untrusted',
          message: 'server "theirs" came with this folder or a plugin, and is not trusted yet',
          where: '.mcp.json:1:16',
          fix: 'see what it would run, and let it start: plugboard trust theirs',
        },
      },
    ]);
    const list = await box.run(['list', '--json']);
    expect(documentOf(list)).toMatchObject({
      servers: [
        {
          name: 'theirs',
          state: 'untrusted',
          problems: [
            'it came with this folder or a plugin and starts once you trust it: plugboard trust theirs',
          ],
        },
      ],
    });
  });

  it('is started with --trust-project, in that run only', async ({ expect }) => {
    await using box = await repository();
    const run = await box.run(['call', 'theirs', 'echo', 'message=hi', '--trust-project']);
    expect([run.code, run.stdout, run.stderr]).toEqual([0, 'hi\n', '']);
    expect(await hasStarted(box)).toBe(true);
    expect((await box.run(['call', 'theirs', 'echo', 'message=hi'])).code).toBe(1);
    // The tools are known now, but still not offered.
    expect(await box.run(['tools', 'theirs'])).toEqual({ code: 1, stdout: '', stderr: UNTRUSTED });
    expect((await box.run(['tools', 'theirs', '--trust-project'])).code).toBe(0);
  });

  it.for<[string, object, string]>([
    ['a local file', { '.plugboard/settings.local.json': { mine: trap() } }, 'came with'],
    ["another program's local file", { '.claude/settings.local.json': { mine: trap() } }, 'came'],
    ['its arguments', { '.mcp.json': { mine: { args: ['-c', ': > started'] } } }, 'came with'],
    ['a variable', { '.mcp.json': { mine: { env: { NODE_OPTIONS: '-r ./x.js' } } } }, 'came with'],
  ])('does not start a server of the user by %s', async ([, files, words], { expect }) => {
    await using box = await sandbox();
    await box.write(SETTINGS, written({ mine: trap() }));
    for (const [file, servers] of Object.entries(files)) await box.write(file, written(servers));
    const { code, stderr } = await box.run(['call', 'mine', 'echo', 'message=hi']);
    expect([code, stderr.includes(words)]).toEqual([1, true]);
    expect(await hasStarted(box)).toBe(false);
  });

  it('does not enable a server that the user has disabled', async ({ expect }) => {
    await using box = await sandbox();
    await box.write(SETTINGS, written({ mine: trap({ disabled: true }) }));
    await box.write('.mcp.json', written({ mine: { disabled: false } }));
    expect((await box.run(['call', 'mine', 'echo', 'message=hi'])).code).toBe(1);
    expect(await hasStarted(box)).toBe(false);
    const { stderr } = await box.run(['trust', 'mine']);
    expect(stderr).toContain('turned on  though you have it off  .mcp.json:1:24\n');
    expect((await box.run(['call', 'mine', 'echo', 'message=hi'])).code).toBe(0);
  });
});

describe.concurrent('plugboard trust', () => {
  verifies('CFG-11', 'CLI-01');

  it('shows what is approved, and lets it start as long as it stays the same', async ({
    expect,
  }) => {
    await using box = await repository({ a: { command: 'run-a', args: ['x y'] } });
    const approved = await box.run(['trust', 'a']);
    expect(approved).toEqual({
      code: 0,
      stdout: '',
      stderr: `Server "a" of ${box.project}

  type       stdio
  runs       "run-a" "x y"  .mcp.json:1:21
  in folder  (the one you are in)

Trusted "a".
Try it: plugboard tools a
`,
    });
    expect((await box.run(['list'])).stdout).toMatch(/^a +idle /m);
    expect(await box.run(['trust', 'a'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '"a" is trusted already.\n',
    });

    await box.write(
      '.mcp.json',
      written({ a: { command: 'run-a', args: ['x', 'y'], timeout: 5 } }),
    );
    expect(await box.run(['tools', 'a'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: server "a" has changed since you trusted it
  at:  .mcp.json:1:16
  fix: see what it would run, and let it start: plugboard trust a
`,
    });
    const waiting = await box.run(['trust', '--json']);
    expect(documentOf(waiting)).toEqual({
      servers: [
        {
          name: 'a',
          standing: {
            kind: 'changed',
            at: expect.any(Number),
            changes: [{ kind: 'changed', field: 'args' }],
          },
        },
      ],
    });
    const again = await box.run(['trust', 'a']);
    expect(again.stderr).toMatch(
      /\nYou approved it on \d{4}-\d\d-\d\d\. Since then:\n {2}changed {2}args\n\nTrusted "a"\.\n/,
    );
  });

  it('revokes an approval, also of a server that is gone', async ({ expect }) => {
    await using box = await repository({ a: { command: 'a' }, b: { command: 'b' } });
    await box.trust();
    expect(await box.run(['trust', 'a', '--revoke'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No longer trusted: "a".\n',
    });
    expect((await box.run(['list'])).stdout).toMatch(/^a +untrusted .*\nb +idle /m);
    await box.write('.mcp.json', written({ a: { command: 'a' } }));
    expect(documentOf(await box.run(['trust', '--revoke', '--json']))).toEqual({
      kind: 'revoked',
      names: ['b'],
    });
    await box.write('.mcp.json', written({ a: { command: 'a' }, b: { command: 'b' } }));
    expect((await box.run(['list'])).stdout).toMatch(/^a +untrusted .*\nb +untrusted /m);
    expect(await box.run(['trust', '--revoke'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing was trusted, so there is nothing to take back.\n',
    });
    expect(await box.run(['trust', 'bb', '--revoke'])).toMatchObject({ code: 1 });
  });

  it('prints a document with --json', async ({ expect }) => {
    await using box = await repository({ a: { command: 'a' } });
    await box.write(SETTINGS, written({ mine: { command: 'mine' } }));
    const documents = [];
    for (const args of [
      ['trust', '--json'],
      ['trust', 'a', '--json'],
      ['trust', 'a', '--json'],
      ['trust', 'mine', '--json'],
      ['trust', '--json'],
      ['trust', 'a', '--revoke', '--json'],
      ['trust', 'a', '--revoke', '--json'],
    ]) {
      documents.push(documentOf(await box.run(args)));
    }
    expect(documents).toEqual([
      { servers: [{ name: 'a', standing: { kind: 'unknown' } }] },
      { kind: 'trusted', name: 'a' },
      { kind: 'already-trusted', name: 'a' },
      { kind: 'not-needed', name: 'mine' },
      { servers: [] },
      { kind: 'revoked', names: ['a'] },
      { kind: 'revoked', names: [] },
    ]);
  });

  it('approves nothing without a name and without a terminal', async ({ expect }) => {
    await using box = await repository({ a: { command: 'a' }, b: { command: 'b' } });
    expect(await box.run(['trust'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: waiting to be trusted: a, b
  fix: name the one you mean: plugboard trust NAME
`,
    });
    expect((await box.run(['list'])).stdout).toMatch(/^a +untrusted .*\nb +untrusted /m);
  });

  it('approves no blocked server', async ({ expect }) => {
    verifies('CFG-10');
    await using box = await repository({ a: { command: 'a' } });
    await box.write(SETTINGS, JSON.stringify({ deniedMcpServers: [{ serverName: 'a' }] }));
    expect(await box.run(['trust', 'a'])).toEqual({
      code: 5,
      stdout: '',
      stderr: `error: "a" is not in use: denied by { serverName: "a" }, ~/.config/plugboard/settings.json:1:22 (user)
  fix: see more: plugboard explain a
`,
    });
    await box.write(SETTINGS, '{}');
    expect((await box.run(['list'])).stdout).toMatch(/^a +untrusted /m);
  });

  it('stores approvals nowhere inside the repository', async ({ expect }) => {
    await using box = await repository();
    const env = { XDG_STATE_HOME: join(box.project, 'state') };
    expect(await box.run(['trust', 'theirs'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /error: approvals would be kept in state\/plugboard\/trust\.json, which belongs to the project\n {2}fix: set XDG_STATE_HOME to a folder outside of it\n$/,
      ),
    });
    // A committed store is rejected even if the user wrote it on another machine.
    await box.trust();
    await box.write(
      'state/plugboard/trust.json',
      await box.read('../home/.state/plugboard/trust.json'),
    );
    expect((await box.run(['call', 'theirs', 'echo', 'message=hi'], { env })).code).toBe(1);
    expect(await hasStarted(box)).toBe(false);
  });

  it('accepts a plugin by the name of its server, in any folder', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('tools/.claude-plugin/plugin.json', '{ "name": "tools" }');
    await box.write('tools/.mcp.json', JSON.stringify({ s: trap() }));
    const added = await box.run(['plugin', 'add', './tools']);
    expect([
      added.code,
      added.stderr.endsWith('Trust it: plugboard trust plugin:tools:s\n'),
    ]).toEqual([0, true]);
    const call = ['call', 'plugin:tools:s', 'echo', 'message=hi'];
    expect((await box.run(call)).code).toBe(1);
    expect(await hasStarted(box)).toBe(false);
    expect((await box.run(['trust', 'plugin:tools:s'])).code).toBe(0);
    expect((await box.run(call)).stdout).toBe('hi\n');
    await box.run(['plugin', 'remove', 'tools']);
    expect((await box.run(['trust', 'plugin:tools:s', '--revoke'])).stderr).toBe(
      'No longer trusted: "plugin:tools:s".\n',
    );
  });
});

describe.concurrent('trust on a terminal', () => {
  verifies('CFG-11');

  const ASKED = 'Let "theirs" start? [y/N] ';

  it('a call of an unapproved server shows it and prompts; a yes is stored', async ({ expect }) => {
    await using box = await repository();
    const args = ['call', 'theirs', 'echo', 'message=hi'];
    const seen = await atTerminal(box, { args, turns: [[ASKED, `y${KEYS.enter}`]] });
    expect(seen.code).toBe(0);
    expect(seen.screen).toContain('warning: it runs code that is written into its command line');
    expect(seen.screen).toMatch(/hi\n$/);
    const { code, screen } = await atTerminal(box, { args });
    // On a busy machine, the command shows what it is waiting for.
    expect([
      code,
      screen.replace(/^(?:(?:connecting to theirs|waiting for the server)…\n)*/, ''),
    ]).toEqual([0, 'hi\n']);
  });

  it.for([
    ['no', `n${KEYS.enter}`],
    ['nothing', KEYS.enter],
    ['something else', `yess${KEYS.enter}`],
  ] as const)('%s starts nothing', async ([, keys], { expect }) => {
    await using box = await repository();
    const seen = await atTerminal(box, { args: ['tools', 'theirs'], turns: [[ASKED, keys]] });
    expect(seen.code).toBe(1);
    expect(seen.screen).toContain(UNTRUSTED);
    expect(await hasStarted(box)).toBe(false);
  });

  it.for([
    ['Ctrl-C', KEYS.ctrlC, 130],
    ['the end of input', KEYS.ctrlD, 1],
  ] as const)('%s ends the command, and starts nothing', async ([, keys, code], { expect }) => {
    await using box = await repository();
    const seen = await atTerminal(box, { args: ['tools', 'theirs'], turns: [[ASKED, keys]] });
    expect(seen.code).toBe(code);
    expect(seen.screen).toMatch(/error: cancelled\n$/);
    expect(await hasStarted(box)).toBe(false);
    expect((await box.run(['list'])).stdout).toMatch(/^theirs +untrusted /m);
  });

  it('plugboard trust prompts for each unapproved server', async ({ expect }) => {
    await using box = await repository({ a: { command: 'a' }, b: { command: 'b' } });
    const seen = await atTerminal(box, {
      args: ['trust'],
      turns: [
        ['Let "a" start? [y/N] ', `y${KEYS.enter}`],
        ['Let "b" start? [y/N] ', KEYS.enter],
      ],
    });
    expect(seen.code).toBe(5);
    expect(seen.screen).toContain('Trusted "a".\nTry it: plugboard tools a\n');
    expect(seen.screen).toMatch(/"b" stays as it is: it does not start\.\n$/);
    expect((await box.run(['list'])).stdout).toMatch(/^a +idle .*\nb +untrusted /m);
  });

  it('Ctrl-C ends plugboard trust without further prompts', async ({ expect }) => {
    await using box = await repository({ a: { command: 'a' }, b: { command: 'b' } });
    const seen = await atTerminal(box, {
      args: ['trust'],
      turns: [['Let "a" start? [y/N] ', KEYS.ctrlC]],
    });
    expect(seen.code).toBe(130);
    expect(seen.screen).not.toContain('"b"');
    expect((await box.run(['list'])).stdout).toMatch(/^a +untrusted .*\nb +untrusted /m);
  });
});

describe.concurrent('a trusted server that runs a file of the repository', () => {
  verifies('POL-16');

  const { args } = scriptedServer();
  const program = `process.argv.splice(2, Infinity, ...${JSON.stringify(args.slice(1))});
await import(${JSON.stringify(`file://${args[0]}`)});
`;

  it('needs a new approval after the file changed, which names the file', async ({ expect }) => {
    await using box = await repository({ theirs: { command: 'node', args: ['s.mjs'] } });
    await box.write('s.mjs', program);
    const first = await box.run(['trust', 'theirs']);
    expect(first.stderr).toContain('its file   "s.mjs"');
    expect((await box.run(['tools', 'theirs'])).code).toBe(0);
    await box.write('s.mjs', `// Another.\n${program}`);
    expect(await box.run(['tools', 'theirs', '--refresh'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: server "theirs" runs "s.mjs", which has changed since you trusted it
  at:  .mcp.json:1:16
  fix: see what it would run, and let it start: plugboard trust theirs
`,
    });
    const again = await box.run(['trust', 'theirs']);
    expect(again.stderr).toContain('changed  the file "s.mjs", which it runs');
    expect((await box.run(['tools', 'theirs'])).code).toBe(0);
  });
});
