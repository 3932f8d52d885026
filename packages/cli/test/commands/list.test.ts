import { everything, filesystem, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, sandbox, VERSION } from '../sandbox.ts';

const SECRET = 'tops3cret';

describe.concurrent('plugboard without arguments', () => {
  it('shows the first steps if nothing is configured', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run([])).toEqual({
      code: 0,
      stdout: `Plugboard ${VERSION}: every MCP server, one command.

No servers are configured for ${box.project}.

Next:
  add a local server:
    plugboard add files --cwd project -- npx -y @modelcontextprotocol/server-filesystem .
  add a remote server:
    plugboard add docs https://example.com/mcp
  see everything else:
    plugboard --help
`,
      stderr: '',
    });
  });

  it('shows the configured servers and the next commands', async ({ expect }) => {
    await using box = await sandbox({
      a: { command: 'one', disabled: true },
      b: { command: 'two' },
    });
    expect(await box.run([])).toEqual({
      code: 0,
      stdout: `Plugboard ${VERSION}: every MCP server, one command.

NAME  STATE     TYPE   SCOPE    CONFIGURED AT  RUNS
a     disabled  stdio  project  .mcp.json:3:5  one
b     idle      stdio  project  .mcp.json:4:5  two

Next:
  plugboard tools b                see what it can do
  plugboard call b TOOL key=value  use one of its tools
  plugboard get b                  see how it is configured
  plugboard add NAME -- COMMAND    add another server
  plugboard --help                 see everything else
`,
      stderr: '',
    });
  });

  it('points to the approval if all servers wait for it', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('.mcp.json', '{ "mcpServers": { "a": { "command": "one" } } }');
    expect(await box.run([])).toEqual({
      code: 0,
      stdout: `Plugboard ${VERSION}: every MCP server, one command.

NAME  STATE      TYPE   SCOPE    CONFIGURED AT   RUNS
a     untrusted  stdio  project  .mcp.json:1:19  one

Next:
  plugboard trust a              see what it would run, and let it start
  plugboard add NAME -- COMMAND  add another server
  plugboard --help               see everything else
`,
      stderr: '',
    });
  });

  it('prints JSON with --json', async ({ expect }) => {
    await using box = await sandbox();
    expect(documentOf(await box.run(['--json']))).toEqual({
      version: VERSION,
      servers: [],
      diagnostics: [],
      next: [
        'plugboard add files --cwd project -- npx -y @modelcontextprotocol/server-filesystem .',
        'plugboard add docs https://example.com/mcp',
        'plugboard --help',
      ],
    });
  });
});

describe.concurrent('plugboard list', () => {
  verifies('CLI-03');

  it('explains how to continue if nothing is configured', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run(['list'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No servers are configured here.\nAdd one: plugboard add NAME -- COMMAND\n',
    });
  });

  it('lists servers of every kind and scope in the order of their names', async ({ expect }) => {
    await using box = await sandbox({
      web: { type: 'http', url: `https://example.com/mcp?key=${SECRET}` },
      files: { command: 'npx', args: ['-y', 'server', 'a folder'] },
      off: { command: 'x', disabled: true },
    });
    await box.write(
      '../home/.config/plugboard/settings.json',
      '{ "mcpServers": { "mine": { "command": "m", "args": ["${UNSET}"] } } }',
    );
    expect(await box.run(['list'])).toEqual({
      code: 0,
      stdout: `NAME   STATE     TYPE   SCOPE    CONFIGURED AT                           RUNS
files  idle      stdio  project  .mcp.json:4:5                           npx -y server "a folder"
mine   failed    stdio  user     ~/.config/plugboard/settings.json:1:19  m \${UNSET}
off    disabled  stdio  project  .mcp.json:5:5                           x
web    idle      http   project  .mcp.json:3:5                           https://example.com/mcp
`,
      stderr: `error: "mine" needs the environment variable UNSET (in "args[0]"), which is not set
  at:  ~/.config/plugboard/settings.json:1:54
  fix: set UNSET, or write a default: \${UNSET:-value}
`,
    });
  });

  it('reports a mistake inside oauth with its place and a suggestion', async ({ expect }) => {
    verifies('CFG-06');
    const url = 'https://docs.example/mcp';
    await using box = await sandbox({
      bad: { url, oauth: { callbackPort: 'abc' } },
      typo: { url, oauth: { scope: 'x', client_id: '7' } },
      vouched: { url, oauth: { xaa: true } },
    });
    const { stderr } = await box.run(['list']);
    expect(stderr).toBe(`error: server "bad": "oauth.callbackPort" must be a number
  at:  .mcp.json:3:70
  fix: write it like "oauth": { "clientId": "some-client", "scopes": ["read"], "callbackPort": 8123 }
warning: server "typo": "oauth.scope" is not a field of an entry and has no effect
  at:  .mcp.json:4:56
  fix: use "scopes" instead
warning: server "typo": "oauth.client_id" is not a field of an entry and has no effect
  at:  .mcp.json:4:68
  fix: use "clientId" instead
error: "vouched" is signed in to through your identity provider ("oauth.xaa" is true), and your settings name none
  at:  .mcp.json:5:59
  fix: add "identityProvider": { "issuer": "https://login.example.com", "clientId": "some-client" } to your own settings: plugboard config path --scope user
`);
    const doctor = await box.run(['doctor', 'vouched', '--trust-project']);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain('and your settings name none');
    expect(doctor.stdout).toContain('plugboard config path --scope user');
  });

  it('prints one JSON document for programs', async ({ expect }) => {
    await using box = await sandbox({
      everything: everything(),
      broken: { comand: 'x' },
    });
    const file = `${box.project}/.mcp.json`;
    const run = await box.run(['list', '--json']);
    expect(run.code).toBe(1);
    expect(documentOf(run)).toEqual({
      servers: [
        {
          name: 'broken',
          state: 'invalid',
          transport: null,
          target: null,
          scope: 'project',
          origin: { kind: 'file', file, line: 4, column: 5 },
          problems: [
            '"comand" is not a field of an entry and has no effect.',
            'It has neither a "command" nor a "url".',
          ],
        },
        {
          name: 'everything',
          state: 'idle',
          transport: 'stdio',
          target: [everything().command, ...everything().args].join(' '),
          scope: 'project',
          origin: { kind: 'file', file, line: 3, column: 5 },
          problems: [],
        },
      ],
      diagnostics: [
        {
          severity: 'error',
          code: 'command-or-url',
          message: 'It has neither a "command" nor a "url".',
          suggestion: 'Add one of them: "command": "npx", or "url": "https://example.com/mcp".',
          file,
          line: 4,
          column: 5,
          server: 'broken',
        },
        {
          severity: 'warning',
          code: 'unknown-key',
          message: '"comand" is not a field of an entry and has no effect.',
          suggestion: 'Use "command" instead.',
          file,
          line: 4,
          column: 16,
          server: 'broken',
        },
      ],
    });
  });

  it('starts no server', async ({ expect }) => {
    await using box = await sandbox();
    await box.servers({ trap: { command: 'touch', args: [`${box.project}/started`] } });
    expect((await box.run(['list'])).code).toBe(0);
    await expect(box.read('started')).rejects.toThrow('ENOENT');
  });
});

describe.concurrent('plugboard get', () => {
  it('shows the command of a local server, with secrets hidden and variables shown', async ({
    expect,
  }) => {
    await using box = await sandbox({
      db: {
        command: 'dbhub',
        args: [
          '--dsn',
          `postgres://me:${SECRET}@host/db`,
          '--api-key',
          SECRET,
          `--token=${SECRET}`,
        ],
        env: { DSN: '${DATABASE_URL}', TOKEN: SECRET, OTHER: `\${OTHER:-${SECRET}}` },
        cwd: 'sub',
        required: true,
      },
    });
    await box.write('.plugboard/settings.json', '{ "mcpServers": { "db": { "command": "x" } } }');
    expect(await box.run(['get', 'db'], { env: { DATABASE_URL: SECRET } })).toEqual({
      code: 0,
      stdout: `name        db
state       idle
type        stdio
runs        dbhub --dsn postgres://host/db --api-key (hidden) --token=(hidden)
in folder   sub
env         DSN=\${DATABASE_URL}
env         TOKEN=(hidden)
env         OTHER=(hidden)
required    yes
configured  .mcp.json:3:5 (project)
hides       .plugboard/settings.json:1:19 (project)
`,
      stderr: '',
    });
  });

  it('prints the same with --json, with the same secrets hidden', async ({ expect }) => {
    await using box = await sandbox({
      docs: {
        type: 'http',
        url: `https://example.com/mcp?key=${SECRET}`,
        headers: { Authorization: `Bearer ${SECRET}`, 'X-Key': '${KEY}', 'X-Or': 'Bearer ${KEY}' },
      },
    });
    const run = await box.run(['get', 'docs', '--json'], { env: { KEY: SECRET } });
    expect(run.code).toBe(0);
    expect(documentOf(run)).toEqual({
      name: 'docs',
      state: 'idle',
      transport: 'http',
      target: 'https://example.com/mcp',
      scope: 'project',
      origin: { kind: 'file', file: `${box.project}/.mcp.json`, line: 3, column: 5 },
      problems: [],
      required: false,
      cwd: null,
      env: {},
      headers: { Authorization: '(hidden)', 'X-Key': '${KEY}', 'X-Or': 'Bearer ${KEY}' },
      sources: [
        {
          scope: 'project',
          origin: { kind: 'file', file: `${box.project}/.mcp.json`, line: 3, column: 5 },
          part: 'defines',
        },
      ],
      diagnostics: [],
    });
  });

  it('suggests the nearest name for a mistyped one', async ({ expect }) => {
    verifies('CLI-05');
    await using box = await sandbox({ files: filesystem('.') });
    expect(await box.run(['get', 'fiels'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no server "fiels"\n  fix: did you mean "files"?\n',
    });
    expect(await box.run(['get', 'zebra'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no server "zebra"\n  fix: see the list: plugboard list\n',
    });
  });

  it('explains why a server is unusable, where, and how to fix it', async ({ expect }) => {
    await using box = await sandbox({ broken: { comand: 'x' } });
    expect(await box.run(['get', 'broken'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: server "broken" cannot be used: it has neither a "command" nor a "url"
  at:  .mcp.json:3:5
  | "comand" is not a field of an entry and has no effect: use "command" instead
  fix: add one of them: "command": "npx", or "url": "https://example.com/mcp"
`,
    });
  });
});
