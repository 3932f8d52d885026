import { readFile, stat, symlink } from 'node:fs/promises';
import { verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Run, type Sandbox, sandbox } from '../sandbox.ts';

const GUIDE = new URL('../../../../docs/import.md', import.meta.url);
const SETTINGS = '../home/.config/plugboard/settings.json';

/** The user's settings of Cursor and Codex, with secrets in plain text, and a file of the project. */
async function withHosts(): Promise<Sandbox> {
  const box = await sandbox();
  await box.write(
    '../home/.cursor/mcp.json',
    `{
  "mcpServers": {
    "my files": {
      "command": "npx",
      "args": ["-y", "server-files", "--api-key", "cl3ar-one", "\${env:FOLDER}"],
      "env": { "TOKEN": "cl3ar-two" },
      "autoApprove": ["read"],
      "colour": "cl3ar-three"
    },
    "docs": {
      "url": "https://example.com/mcp?key=cl3ar-four",
      "headers": { "Authorization": "Bearer \${env:DOCS_TOKEN}", "X-Key": "cl3ar-five" }
    }
  }
}
`,
  );
  await box.write(
    '../home/.codex/config.toml',
    `[mcp_servers.docs]
url = "https://other.example.com/mcp"
bearer_token_env_var = "OTHER_TOKEN"
tool_timeout_sec = 90
`,
  );
  await box.write('.cursor/mcp.json', '{ "mcpServers": { "theirs": { "command": "theirs" } } }\n');
  return box;
}

const CLEAR = /cl3ar/;

const SCREEN = `~/.config/plugboard/settings.json
  1 + my-files  Cursor, ~/.cursor/mcp.json:3
      + command: npx
      + args: -y server-files --api-key (hidden) \${FOLDER}
      + env.TOKEN: (hidden)
      note: it is called "my files" there
      note: autoApprove is left out: you decide again here which calls run without asking
      note: colour is not known here
      note: env.TOKEN is in clear; better: plugboard secret set TOKEN, then \${secret:TOKEN}
      note: args[3] is in clear; better: plugboard secret set api-key, then \${secret:api-key}
    ~ docs  Cursor, ~/.cursor/mcp.json:10
      - url: https://old.example.com/mcp
      + url: https://example.com/mcp
      - headers.X-Key: (hidden)
      + headers.X-Key: (hidden)
      + headers.Authorization: Bearer \${DOCS_TOKEN}
      note: it differs: --force replaces it
      note: headers.X-Key is in clear; better: plugboard secret set X-Key, then \${secret:X-Key}
  2 + docs-codex  Codex, ~/.codex/config.toml:1
      + type: http
      + url: https://other.example.com/mcp
      + headers.Authorization: Bearer \${OTHER_TOKEN}
      + timeout: 90000
  3 + theirs  Cursor, .cursor/mcp.json:1
      + command: theirs
      note: this project has it, not you: it is taken only by its number or name
`;

const OLD_DOCS =
  '{"mcpServers":{"docs":{"url":"https://old.example.com/mcp","headers":{"X-Key":"a"}}}}';

describe.concurrent('plugboard import', () => {
  it('shows the changes, without secrets, and writes nothing without confirmation', async ({
    expect,
  }) => {
    verifies('CFG-13');
    await using box = await withHosts();
    await box.write(SETTINGS, OLD_DOCS);
    const expected = {
      code: 0,
      stdout: SCREEN,
      stderr: `Nothing was written.
Take all: plugboard import --all
Take some: plugboard import --only NAME
`,
    };
    expect(await box.run(['import'])).toEqual(expected);
    expect(await box.run(['import', '--dry-run'])).toEqual(expected);
    expect(await box.run(['import', '--all', '--dry-run'])).toEqual(expected);
    expect(await box.read(SETTINGS)).toBe(OLD_DOCS);
    expect(JSON.stringify(await box.run(['import', '--json']))).not.toMatch(CLEAR);
  });

  it('writes all new servers, and nothing the second time', async ({ expect }) => {
    verifies('CFG-13');
    await using box = await withHosts();
    const first = await box.run(['import', '--all']);
    expect([first.code, first.stderr]).toEqual([
      0,
      `Imported "my-files", "docs", "docs-codex" into ~/.config/plugboard/settings.json.
From files of this project, taken only by name: plugboard import --only theirs
`,
    ]);
    const written = await box.read(SETTINGS);
    expect(JSON.parse(written)).toEqual({
      mcpServers: {
        'my-files': {
          command: 'npx',
          args: ['-y', 'server-files', '--api-key', 'cl3ar-one', '${FOLDER}'],
          env: { TOKEN: 'cl3ar-two' },
        },
        docs: {
          url: 'https://example.com/mcp?key=cl3ar-four',
          headers: { Authorization: 'Bearer ${DOCS_TOKEN}', 'X-Key': 'cl3ar-five' },
        },
        'docs-codex': {
          type: 'http',
          url: 'https://other.example.com/mcp',
          headers: { Authorization: 'Bearer ${OTHER_TOKEN}' },
          timeout: 90_000,
        },
      },
    });
    expect((await stat(`${box.project}/${SETTINGS}`)).mode & 0o777).toBe(0o600);
    const again = await box.run(['import', 'codex', '--all']);
    expect(again).toEqual({
      code: 0,
      stdout: `~/.config/plugboard/settings.json
    = docs-codex  Codex, ~/.codex/config.toml:1  already there
`,
      stderr: 'Nothing is left to import.\n',
    });
    expect((await box.run(['import', '--all', '--force'])).code).toBe(0);
    expect(await box.read(SETTINGS)).toBe(written);
    const listed = await box.run(['list', '--json'], {
      env: { FOLDER: '/x', DOCS_TOKEN: 'a', OTHER_TOKEN: 'b' },
    });
    expect(listed.code).toBe(0);
  });

  it('replaces different entries only with --force', async ({ expect }) => {
    await using box = await withHosts();
    await box.write(SETTINGS, OLD_DOCS);
    expect(failure(await box.run(['import', '--only', 'docs']))).toBe(
      `error: another "docs" is already in ~/.config/plugboard/settings.json
  fix: add --force to replace it
`,
    );
    expect(await box.read(SETTINGS)).toBe(OLD_DOCS);
    expect((await box.run(['import', '--only', 'docs', '--force'])).code).toBe(0);
    expect(JSON.parse(await box.read(SETTINGS))).toEqual({
      mcpServers: {
        docs: {
          url: 'https://example.com/mcp?key=cl3ar-four',
          headers: { Authorization: 'Bearer ${DOCS_TOKEN}', 'X-Key': 'cl3ar-five' },
        },
      },
    });
  });

  it('imports servers of the project only by name, or into the project', async ({ expect }) => {
    await using box = await withHosts();
    await box.run(['import', 'cursor', '--all', '--scope', 'local']);
    const local = '.plugboard/settings.local.json';
    expect(namesIn(await box.read(local))).toEqual(['my-files', 'docs']);
    await box.run(['import', '--only', 'theirs', '--scope', 'local']);
    expect(namesIn(await box.read(local))).toEqual(['my-files', 'docs', 'theirs']);
    const { stderr } = await box.run(['import', 'cursor', '--all', '--scope', 'project']);
    expect(namesIn(await box.read('.mcp.json'))).toEqual(['my-files', 'docs', 'theirs']);
    expect(stderr).toBe(`Imported "my-files", "docs", "theirs" into .mcp.json.
Careful: secrets are in clear in it, and it is for everyone who has the project.
Note: "my-files" now comes from .plugboard/settings.local.json:3:5.
Note: "docs" now comes from .plugboard/settings.local.json:16:5.
Note: "theirs" now comes from .plugboard/settings.local.json:23:5.
"theirs" starts once you trust it: plugboard trust theirs
`);
  });

  it('imports nothing into the file of a project that is a link to settings of the user', async ({
    expect,
  }) => {
    await using box = await withHosts();
    const own = await box.write(SETTINGS, '{}\n');
    await symlink(own, `${box.project}/.mcp.json`);
    const { code, stderr } = await box.run(['import', '--all', '--scope', 'project']);
    expect(code).toBe(1);
    expect(stderr)
      .toBe(`error: .mcp.json is left as it is: a link leads out of this project, to ~/.config/plugboard/settings.json
  fix: put a file in the place of the link, or edit by hand what it leads to; then run the command again
`);
    expect(await box.read(SETTINGS)).toBe('{}\n');
  });

  it('reads the other files when one is broken, and reports it', async ({ expect }) => {
    await using box = await withHosts();
    await box.write('../home/.codex/config.toml', '[mcp_servers.docs]\nurl = cl3ar\n');
    const { code, stderr } = await box.run(['import', '--only', 'docs']);
    expect([code, stderr]).toEqual([
      1,
      `error: this is not valid TOML
  at:  ~/.codex/config.toml:2:7
  fix: check the text around this place
Imported "docs" into ~/.config/plugboard/settings.json.
`,
    ]);
  });

  it('leaves an invalid settings file unchanged', async ({ expect }) => {
    await using box = await withHosts();
    await box.write(SETTINGS, '{ "mcpServers": ');
    const run = await box.run(['import', '--all']);
    expect(failure(run)).toContain('error: ~/.config/plugboard/settings.json is left as it is');
    expect(await box.read(SETTINGS)).toBe('{ "mcpServers": ');
  });

  it('reports that there is nothing to import', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run(['import'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Other hosts have no servers to import here.\n',
    });
  });

  it.for([
    [['curser'], 'there is no host called "curser"', 'did you mean "cursor"?'],
    [
      ['emacs'],
      'there is no host called "emacs"',
      'use one of: claude-code, claude-desktop, cursor, vscode, windsurf, codex, gemini, opencode, zed, cline',
    ],
    [['--only', 'doc'], 'no other host has a server "doc"', 'did you mean "docs"?'],
    [
      ['--only', 'elsewhere'],
      'no other host has a server "elsewhere"',
      'see the list: plugboard import --dry-run',
    ],
    [['--all', '--only', 'docs'], '--all and --only cannot be combined', 'leave out one of them'],
    [['--scope', 'galaxy'], 'there is no scope "galaxy"', 'use one of: local, project, user'],
  ] as const)('refuses %j', async ([args, error, fix], { expect }) => {
    await using box = await withHosts();
    expect(await box.run(['import', ...args])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${error}\n  fix: ${fix}\n`,
    });
    await expect(box.read(SETTINGS)).rejects.toThrow('ENOENT');
  });

  it('prints with --json what docs/import.md shows', async ({ expect }) => {
    verifies('CLI-03');
    await using box = await sandbox();
    await box.write(
      '../home/.cursor/mcp.json',
      `{
  "mcpServers": {
    "docs": {
      "url": "https://example.com/mcp",
      "headers": { "Authorization": "Bearer \${env:DOCS_TOKEN}" },
      "auth": { "CLIENT_ID": "me" }
    }
  }
}
`,
    );
    const example = /\$ plugboard (.+)\n```\n+```json\n([\s\S]+?)```/;
    const [, line = '', json = ''] = example.exec(await readFile(GUIDE, 'utf8')) ?? [];
    const run = await box.run(line.split(' '));
    const printed = JSON.stringify(documentOf(run)).replaceAll(box.home, '/home/me');
    expect(JSON.parse(printed)).toEqual(JSON.parse(json));
  });
});

function failure({ code, stdout, stderr }: Run): string {
  if (code !== 1) throw new Error(`ended with ${code}: ${stdout}`);
  return stderr;
}

function namesIn(text: string): readonly string[] {
  const { mcpServers } = JSON.parse(text) as { mcpServers: object };
  return Object.keys(mcpServers);
}
