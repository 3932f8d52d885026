import { verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { atTerminal } from '../person-at-terminal.ts';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const SETTINGS = '../home/.config/plugboard/settings.json';
const LOCAL = '.plugboard/settings.local.json';
const CLEAR = /cl3ar/;

/** A server of the user, patched by the project and by a local file, with a weaker entry below it. */
async function patched(): Promise<Sandbox> {
  const box = await sandbox();
  await box.write(
    SETTINGS,
    `{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "server-github", "--token", "cl3ar-one"],
      "env": { "GITHUB_TOKEN": "cl3ar-two", "LOG": "cl3ar-three" },
      "timeout": 60000,
      "tools": { "include": ["get_*", "list_*"], "exclude": ["delete_*"] }
    }
  },
  "deniedMcpServers": [
    { "serverCommand": ["npx", "-y", "server-github@2.0.0"] }
  ]
}
`,
  );
  await box.write(
    '../home/.claude/settings.json',
    '{ "mcpServers": { "github": { "command": "docker", "args": ["run", "--key=cl3ar-four"] } } }\n',
  );
  await box.write(
    '.mcp.json',
    `{
  "mcpServers": {
    "github": {
      "args": ["-y", "server-github@\${VERSION:-2.0.0}"],
      "tools": { "include": ["get_*"], "exclude": ["get_secret"] }
    }
  }
}
`,
  );
  await box.write(
    LOCAL,
    `{
  "mcpServers": {
    "github": { "env": { "GITHUB_TOKEN": "\${MY_TOKEN}" }, "timeout": 5000, "disabled": false }
  }
}
`,
  );
  return box;
}

const SCREEN = `github: blocked
  denied by { serverCommand: ["npx", "-y", "server-github@2.0.0"] }, ~/.config/plugboard/settings.json:12:5 (user)

ENTRY, STRONGEST FIRST                        PART
.plugboard/settings.local.json:3:5 (local)    sets some fields
.mcp.json:3:5 (project)                       sets some fields
~/.config/plugboard/settings.json:3:5 (user)  defines the server
~/.claude/settings.json:1:19 (user)           has no effect

FIELD             VALUE                                        FROM
command           npx                                          ~/.config/plugboard/settings.json:4:7 (user)
                  docker                                       ~/.claude/settings.json:1:31 (user), replaced
args              ["-y","server-github@\${VERSION:-2.0.0}"]     .mcp.json:4:7 (project)
                  ["-y","server-github","--token","(hidden)"]  ~/.config/plugboard/settings.json:5:7 (user), overruled
                  ["run","--key=(hidden)"]                     ~/.claude/settings.json:1:52 (user), replaced
env.GITHUB_TOKEN  \${MY_TOKEN}                                  .plugboard/settings.local.json:3:26 (local)
                  (hidden)                                     ~/.config/plugboard/settings.json:6:16 (user), overruled
env.LOG           (hidden)                                     ~/.config/plugboard/settings.json:6:45 (user)
disabled          false                                        .plugboard/settings.local.json:3:76 (local)
timeout           5000                                         .plugboard/settings.local.json:3:59 (local)
                  60000                                        ~/.config/plugboard/settings.json:7:7 (user), overruled
tools.include                                                  only what is in each of these:
                  ["get_*"]                                    .mcp.json:5:18 (project)
                  ["get_*","list_*"]                           ~/.config/plugboard/settings.json:8:18 (user)
tools.exclude     ["get_secret","delete_*"]                    all of these together:
                  ["get_secret"]                               .mcp.json:5:40 (project)
                  ["delete_*"]                                 ~/.config/plugboard/settings.json:8:50 (user)

overruled: a stronger entry says otherwise.
replaced: a stronger entry sets what is started or reached.
`;

describe.concurrent('plugboard explain', () => {
  verifies('CFG-08', 'CFG-10', 'CLI-01');

  it('shows every field with its place, the overridden values, and the rule that blocks it', async ({
    expect,
  }) => {
    await using box = await patched();
    const env = { MY_TOKEN: 'cl3ar-five' };
    expect(await box.run(['explain', 'github'], { env })).toEqual({
      code: 0,
      stdout: SCREEN,
      stderr: '',
    });
  });

  it('prints the same with --json', async ({ expect }) => {
    await using box = await patched();
    const env = { MY_TOKEN: 'cl3ar-five' };
    const run = await box.run(['explain', 'github', '--json'], { env });
    expect(run.code).toBe(0);
    expect(run.stdout).not.toMatch(CLEAR);
    const at = (file: string, line: number, column: number) => ({
      kind: 'file',
      file,
      line,
      column,
    });
    const ofLocal = (value: unknown, column: number) => ({
      value,
      scope: 'local',
      origin: at(`${box.project}/${LOCAL}`, 3, column),
    });
    const ofProject = (value: unknown, line: number, column: number) => ({
      value,
      scope: 'project',
      origin: at(`${box.project}/.mcp.json`, line, column),
    });
    const ofUser = (value: unknown, line: number, column: number) => ({
      value,
      scope: 'user',
      origin: at(`${box.home}/.config/plugboard/settings.json`, line, column),
    });
    const ofOther = (value: unknown, column: number) => ({
      value,
      scope: 'user',
      origin: at(`${box.home}/.claude/settings.json`, 1, column),
    });
    const overruled = (statement: object) => ({ ...statement, why: 'weaker' });
    const replaced = (statement: object) => ({ ...statement, why: 'replaced' });
    const alone = (field: string, from: { readonly value: unknown }, ...lost: object[]) => ({
      field,
      value: from.value,
      rule: 'strongest',
      from: [from],
      lost,
    });
    const { value: _1, ...localEntry } = ofLocal(undefined, 5);
    const { value: _2, ...projectEntry } = ofProject(undefined, 3, 5);
    const { value: _3, ...userEntry } = ofUser(undefined, 3, 5);
    const { value: _4, ...otherEntry } = ofOther(undefined, 19);
    const args = ['-y', 'server-github@${VERSION:-2.0.0}'];
    expect(documentOf(run)).toEqual({
      name: 'github',
      state: 'blocked',
      because:
        'denied by { serverCommand: ["npx", "-y", "server-github@2.0.0"] }, ~/.config/plugboard/settings.json:12:5 (user)',
      admission: {
        kind: 'blocked',
        rule: {
          kind: 'denied',
          scope: 'user',
          rule: {
            kind: 'command',
            argv: ['npx', '-y', 'server-github@2.0.0'],
            origin: at(`${box.home}/.config/plugboard/settings.json`, 12, 5),
          },
        },
      },
      fields: [
        alone('command', ofUser('npx', 4, 7), replaced(ofOther('docker', 31))),
        alone(
          'args',
          ofProject(args, 4, 7),
          overruled(ofUser(['-y', 'server-github', '--token', '(hidden)'], 5, 7)),
          replaced(ofOther(['run', '--key=(hidden)'], 52)),
        ),
        alone('env.GITHUB_TOKEN', ofLocal('${MY_TOKEN}', 26), overruled(ofUser('(hidden)', 6, 16))),
        alone('env.LOG', ofUser('(hidden)', 6, 45)),
        alone('disabled', ofLocal(false, 76)),
        alone('timeout', ofLocal(5000, 59), overruled(ofUser(60000, 7, 7))),
        {
          field: 'tools.include',
          value: [['get_*'], ['get_*', 'list_*']],
          rule: 'all',
          from: [ofProject(['get_*'], 5, 18), ofUser(['get_*', 'list_*'], 8, 18)],
          lost: [],
        },
        {
          field: 'tools.exclude',
          value: ['get_secret', 'delete_*'],
          rule: 'unite',
          from: [ofProject(['get_secret'], 5, 40), ofUser(['delete_*'], 8, 50)],
          lost: [],
        },
      ],
      sources: [
        { ...localEntry, part: 'patches' },
        { ...projectEntry, part: 'patches' },
        { ...userEntry, part: 'defines' },
        { ...otherEntry, part: 'hidden' },
      ],
      diagnostics: [],
    });
  });

  it('puts values and places below each other on a narrow screen, and cuts none', async ({
    expect,
  }) => {
    await using box = await sandbox();
    await box.write(SETTINGS, '{ "mcpServers": { "a": { "command": "run-a", "timeout": 1 } } }');
    await box.write(LOCAL, '{ "mcpServers": { "a": { "timeout": 2 } } }');
    const name = `--option=${'long'.repeat(20)}`;
    await box.write(
      '.mcp.json',
      `{ "mcpServers": { "a": { "args": ["${name}"], "tools": { "include": [] } } } }`,
    );
    const wide = await atTerminal(box, { args: ['explain', 'a'], columns: 200 });
    expect(wide.screen).toContain('FIELD          VALUE');
    const narrow = await atTerminal(box, { args: ['explain', 'a'], columns: 60 });
    expect(narrow.screen).toBe(`a: untrusted
  it came with this folder or a plugin and starts once you trust it: plugboard trust a

.plugboard/settings.local.json:1:19 (local)
  sets some fields
.mcp.json:1:19 (project)
  sets some fields
~/.config/plugboard/settings.json:1:19 (user)
  defines the server

command
  run-a
    ~/.config/plugboard/settings.json:1:26 (user)
args
  ["${name}"]
    .mcp.json:1:26 (project)
timeout
  2
    .plugboard/settings.local.json:1:26 (local)
  1
    ~/.config/plugboard/settings.json:1:46 (user), overruled
tools.include
  []
    .mcp.json:1:140 (project)

overruled: a stronger entry says otherwise.
`);
  });

  it('never shows a secret, in any field', async ({ expect }) => {
    await using box = await sandbox();
    await box.servers({
      a: {
        type: 'http',
        url: 'https://user:cl3ar-1@example.com/mcp?key=cl3ar-2',
        headers: { Authorization: 'Bearer cl3ar-3', 'X-Other': 'cl3ar-4' },
        headersHelper: 'print-headers --token cl3ar-5 --pass=cl3ar-6',
        oauth: {
          clientId: 'open',
          clientSecret: 'cl3ar-7',
          other: { deep: 'cl3ar-8' },
          strange: 'cl3ar-9',
          authServerMetadataUrl: 'https://user:cl3ar-10@example.com/?x=cl3ar-11',
        },
      },
    });
    for (const args of [
      ['explain', 'a'],
      ['explain', 'a', '--json'],
    ]) {
      const { code, stdout, stderr } = await box.run(args);
      expect(code).toBe(0);
      expect(stdout + stderr).not.toMatch(CLEAR);
      expect(stdout).toContain('open');
      expect(stdout).toContain('print-headers --token (hidden) --pass=(hidden)');
    }
  });

  it('escapes hostile text', async ({ expect }) => {
    await using box = await sandbox({
      a: { command: 'x\u001B[2Jy\u202E', args: ['\n\ndisabled: true'] },
    });
    const { stdout } = await box.run(['explain', 'a']);
    expect(stdout).toContain('x\\u001b[2Jy\\u202e');
    expect(stdout).toContain('["\\n\\ndisabled: true"]');
  });

  it.for<[string, object, string]>([
    [
      'a rule of a list that allows',
      { allowedMcpServers: [{ serverName: 'b' }] },
      'a: blocked\n  not among the servers allowed by ~/.config/plugboard/settings.json:1:2 (user)\n',
    ],
    [
      'a list that is broken',
      { deniedMcpServers: 'b' },
      'a: blocked\n  the deny list is broken and denies every server: "deniedMcpServers" must be a list of rules. Until then every server is denied, ~/.config/plugboard/settings.json:1:21 (user)\n',
    ],
  ])('names %s', async ([, settings, head], { expect }) => {
    await using box = await sandbox({ a: { command: 'x' } });
    await box.write(SETTINGS, JSON.stringify(settings));
    const { code, stdout } = await box.run(['explain', 'a']);
    expect([code, stdout.slice(0, head.length)]).toEqual([0, head]);
  });

  it('explains why a server is unusable, with all places', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('.mcp.json', '{ "mcpServers": { "a": { "timeout": 5 } } }');
    expect(await box.run(['explain', 'a'])).toEqual({
      code: 0,
      stdout: `a: invalid

ENTRY, STRONGEST FIRST    PART
.mcp.json:1:19 (project)  sets some fields

FIELD    VALUE  FROM
timeout  5      .mcp.json:1:26 (project)
`,
      stderr: expect.stringContaining('error: '),
    });
  });

  it('names the other server that suppresses a server', async ({ expect }) => {
    verifies('CFG-09');
    await using box = await sandbox({ mine: { command: 'run', args: ['it'] } });
    const plugin = '../home/.config/plugboard/plugins/p';
    await box.write(`${plugin}/.claude-plugin/plugin.json`, '{ "name": "p" }');
    await box.write(`${plugin}/.mcp.json`, '{ "s": { "command": "run", "args": ["it"] } }');
    const { stdout } = await box.run(['explain', 'plugin:p:s']);
    expect(stdout).toMatch(
      /^plugin:p:s: duplicate\n {2}suppressed by "mine", which runs or reaches the same\n/,
    );
    expect((await box.run(['list'])).stderr).toBe(
      '"plugin:p:s" is suppressed by "mine", which runs or reaches the same\n',
    );
    expect(await box.run(['trust', 'plugin:p:s'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: "plugin:p:s" is not in use: suppressed by "mine", which runs or reaches the same
  fix: see more: plugboard explain plugin:p:s
`,
    });
  });

  it('suggests a name for an unknown one', async ({ expect }) => {
    await using box = await sandbox({ github: { command: 'x' } });
    expect(await box.run(['explain', 'githib'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no server "githib"\n  fix: did you mean "github"?\n',
    });
  });
});
