import { everything, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { editError } from '../../src/commands/edit.ts';
import { documentOf, type Run, sandbox } from '../sandbox.ts';

function refused(stderr: string): Run {
  return { code: 1, stdout: '', stderr };
}

describe.concurrent('plugboard add', () => {
  it('adds a command with its arguments and environment to the local settings', async ({
    expect,
  }) => {
    await using box = await sandbox();
    const args = ['add', 'db', '-e', 'A=1', '--env', 'B=${B}', '--', 'npx', '-y', 'x', '--json'];
    expect(await box.run(args)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Added "db" to .plugboard/settings.local.json.
Note: "db" needs the environment variable B (in "env.B"), which is not set; set B, or write a default: \${B:-value}. Then: plugboard tools db
`,
    });
    expect(JSON.parse(await box.read('.plugboard/settings.local.json'))).toEqual({
      mcpServers: {
        db: { command: 'npx', args: ['-y', 'x', '--json'], env: { A: '1', B: '${B}' } },
      },
    });
  });

  it('adds a URL with headers to the settings of the user', async ({ expect }) => {
    await using box = await sandbox();
    const header = 'Authorization: Bearer ${TOKEN}';
    const url = 'https://example.com/mcp';
    const args = ['add', 'docs', url, '-H', header, '--scope', 'user'];
    expect(await box.run(args, { env: { TOKEN: 'set' } })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Added "docs" to ~/.config/plugboard/settings.json.\nTry it: plugboard tools docs\n',
    });
    expect(JSON.parse(await box.read('../home/.config/plugboard/settings.json'))).toEqual({
      mcpServers: { docs: { type: 'http', url, headers: { Authorization: 'Bearer ${TOKEN}' } } },
    });
  });

  it('warns about a plain-text secret, and explains how to store it', async ({ expect }) => {
    await using box = await sandbox();
    const dsn = 'DSN=postgres://admin:hunter2@db/main';
    const local = ['add', 'db', '--scope', 'project', '-e', dsn, '-e', 'LOG=debug', '--', 'npx'];
    expect(await box.run(local)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Added "db" to .mcp.json.
Try it: plugboard tools db
warning: DSN looks like a secret, and everyone who can read .mcp.json has it
  fix: plugboard secret set DSN; then add the server again with --force, and \${secret:DSN} there
`,
    });
    const entry = { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abcdefgh' } };
    expect(await box.run(['add-json', 'docs', JSON.stringify(entry)])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Added "docs" to .plugboard/settings.local.json.
Try it: plugboard tools docs
warning: Authorization looks like a secret, and everyone who can read .plugboard/settings.local.json has it
  fix: plugboard secret set DOCS_AUTHORIZATION; then add the server again with --force, and Bearer \${secret:DOCS_AUTHORIZATION} there
`,
    });
  });

  it('adds a server that works', async ({ expect }) => {
    await using box = await sandbox();
    const { command, args } = everything();
    await box.run(['add', 'every', '--scope', 'project', '--', command, ...args]);
    expect(await box.run(['call', 'every', 'echo', 'message=hi'])).toEqual({
      code: 0,
      stdout: 'Echo: hi\n',
      stderr: '',
    });
  });

  it('keeps comments and formatting of the file', async ({ expect }) => {
    await using box = await sandbox();
    const text = (last: string): string => `// ours
{
    "mcpServers": {
        "a": { "command": "a" }${last} // the first
        /* more to come */
    }
}
`;
    await box.write('.mcp.json', text(''));
    expect((await box.run(['add', 'b', '-s', 'project', '--', 'bb'])).code).toBe(0);
    expect(await box.read('.mcp.json')).toBe(
      text(',').replace(
        '// the first\n',
        '// the first\n        "b": {\n            "command": "bb"\n        }\n',
      ),
    );
  });

  it('replaces a server only with --force', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'old' } });
    const before = await box.read('.mcp.json');
    const again = ['add', 'a', '--scope', 'project', '--', 'new'];
    expect(await box.run(again)).toEqual(
      refused('error: "a" is already in .mcp.json\n  fix: add --force to replace it\n'),
    );
    expect(await box.read('.mcp.json')).toBe(before);
    const run = await box.run(['add', '--force', '--json', ...again.slice(1)]);
    expect([run.code, documentOf(run)]).toEqual([
      0,
      { kind: 'replaced', name: 'a', file: `${box.project}/.mcp.json` },
    ]);
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({
      mcpServers: { a: { command: 'new' } },
    });
  });

  it('loses nothing when many processes add at once', async ({ expect }) => {
    verifies('CFG-14');
    await using box = await sandbox();
    const names = Array.from({ length: 6 }, (_, index) => `s${index}`);
    const runs = await Promise.all(
      names.map((name) => box.run(['add', name, '-s', 'project', '--', 'x'])),
    );
    expect(runs.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { mcpServers } = JSON.parse(await box.read('.mcp.json')) as { mcpServers: object };
    expect(Object.keys(mcpServers).toSorted()).toEqual(names);
  });

  it('reports a stronger entry that hides the added one', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'strong' } });
    expect(await box.run(['add', 'a', '--scope', 'user', '--', 'weak'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Added "a" to ~/.config/plugboard/settings.json.
Try it: plugboard tools a
Note: "a" now comes from .mcp.json:3:5.
`,
    });
  });

  it('refuses to edit an invalid file, and leaves it unchanged', async ({ expect }) => {
    await using box = await sandbox();
    const broken = '{\n  "mcpServers": {\n    "a": { "command" "a" }\n  }\n}\n';
    await box.write('.mcp.json', broken);
    expect(await box.run(['add', 'b', '-s', 'project', '--', 'x'])).toEqual(
      refused(`error: .mcp.json is left as it is: a colon is expected between a name and its value
  at:  .mcp.json:3:22
  fix: write it like "command": "npx"; then run the command again
`),
    );
    expect(await box.read('.mcp.json')).toBe(broken);
  });

  it.for([
    [
      ['bad name', '--', 'x'],
      'error: "bad name" cannot be the name of a server',
      'use 1 to 64 of the characters A-Z a-z 0-9 _ -, for example "bad-name"',
    ],
    [
      ['codebase', '--', 'x'],
      'error: the name "codebase" is reserved for the built-in server of that name',
      'give it another name, for example "my-codebase"',
    ],
    [
      ['x', '--scope', 'galaxy', '--', 'y'],
      'error: there is no scope "galaxy"',
      'use one of: local, project, user',
    ],
    [
      ['x', '--transport', 'carrier-pigeon', '--', 'y'],
      'error: there is no transport "carrier-pigeon"',
      'use one of: stdio, http, sse, ws',
    ],
    [
      ['x', 'ftp://example.com'],
      'error: a server cannot be reached by ftp://',
      'give an http:// or https:// URL, or a command after --',
    ],
    [['x', 'https://example.com', 'more'], 'error: one URL is expected', 'leave out: more'],
    [
      ['x', '--env', 'tops3cret', '--', 'y'],
      'error: an environment variable has no "="',
      "write --env 'TOKEN=${TOKEN}'",
    ],
    [
      ['x', 'https://example.com', '--header', 'tops3cret'],
      'error: a header has no ":"',
      "write --header 'Authorization: Bearer ${TOKEN}'",
    ],
    [
      ['x', '--header', 'A: b', '--', 'y'],
      'error: a command takes no headers',
      'use --env, or give a URL',
    ],
    [
      ['x', '--env', 'A=b', 'https://example.com'],
      'error: a URL takes no environment variables',
      'use --header, or give a command after --',
    ],
    [
      ['x', 'npx', '-y', 'server'],
      "error: unknown option '-y'",
      'write -- before the command of the server: plugboard add NAME -- COMMAND',
    ],
    [['x'], "error: missing required argument 'target'", 'see the usage: plugboard add --help'],
  ] as const)('refuses %j', async ([args, error, fix], { expect }) => {
    verifies('CLI-05');
    await using box = await sandbox();
    expect(await box.run(['add', ...args])).toEqual(refused(`${error}\n  fix: ${fix}\n`));
    await expect(box.read('.plugboard/settings.local.json')).rejects.toThrow('ENOENT');
  });
});

describe.concurrent('plugboard remove', () => {
  it('removes a server from the file that defines it', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'a' }, b: { command: 'b' } });
    expect(await box.run(['remove', 'a'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Removed "a" from .mcp.json.\n',
    });
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({
      mcpServers: { b: { command: 'b' } },
    });
  });

  it('reports which server of that name is left, and removes that one from its scope', async ({
    expect,
  }) => {
    await using box = await sandbox({ a: { command: 'a' } });
    await box.run(['add', 'a', '--scope', 'user', '--', 'other']);
    expect(await box.run(['remove', 'a'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Removed "a" from .mcp.json.
Note: "a" now comes from ~/.config/plugboard/settings.json:3:5.
`,
    });
    const run = await box.run(['remove', 'a', '--scope', 'user', '--json']);
    expect([run.code, documentOf(run)]).toEqual([
      0,
      { kind: 'removed', name: 'a', file: `${box.home}/.config/plugboard/settings.json` },
    ]);
  });

  it('removes an invalid entry, too', async ({ expect }) => {
    await using box = await sandbox({ a: { comand: 'a' } });
    expect((await box.run(['remove', 'a'])).code).toBe(0);
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({ mcpServers: {} });
  });

  it('suggests the nearest name, and names the file without the entry', async ({ expect }) => {
    await using box = await sandbox({ files: { command: 'a' } });
    const before = await box.read('.mcp.json');
    expect(await box.run(['remove', 'file'])).toEqual(
      refused('error: there is no server "file"\n  fix: did you mean "files"?\n'),
    );
    expect(await box.run(['remove', 'files', '--scope', 'local'])).toEqual(
      refused(
        'error: "files" is not in .plugboard/settings.local.json\n  fix: see where it is: plugboard list\n',
      ),
    );
    expect(await box.read('.mcp.json')).toBe(before);
  });
});

describe('a file that another process edits', () => {
  it.for([
    [41, 'process 41'],
    [undefined, 'someone else'],
  ] as const)('is named with its lock: held by %j', ([holder, who], { expect }) => {
    const [file, lock] = ['/p/.mcp.json', '/p/.mcp.json.plugboard-lock'];
    const from = { cwd: '/p', home: '/h' };
    const { message, fix } = editError(
      { kind: 'locked', file, lock, holder },
      { name: 'a', file, from },
    );
    expect([message, fix]).toEqual([
      `.mcp.json is being edited by ${who}`,
      'try again when that is done; if nothing edits the file, delete .mcp.json.plugboard-lock',
    ]);
  });
});
