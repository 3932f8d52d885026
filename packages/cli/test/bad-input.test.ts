// Any problem of one server or one file causes a message with its name and a fix, and no stack trace. The others work in the
// same run.

import { execFile } from 'node:child_process';
import { mkdir, symlink, truncate } from 'node:fs/promises';
import { promisify } from 'node:util';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { type Sandbox, sandbox, SEARCH_PATH } from './sandbox.ts';

const GOOD = scriptedServer({ builtIns: ['echo'] });
const GOOD_TOOLS = 'SERVER  TOOL  DESCRIPTION\ngood    echo  Says what it was told\n';

describe.concurrent('a server that does not work', () => {
  verifies('CLI-05');

  it.for([
    {
      case: 'its command does not exist',
      entry: { command: 'no-such-command-here' },
      stderr: `error: server "bad" could not start: there is no command "no-such-command-here"
  at:  .mcp.json:3:5
  | looked for in: ${SEARCH_PATH}
  fix: install no-such-command-here, or correct "command" in its entry
`,
    },
    {
      case: 'its command may not be run',
      entry: { command: '/etc/passwd' },
      stderr: `error: server "bad" could not start: "/etc/passwd" is not a program that may be run
  at:  .mcp.json:3:5
  fix: make it executable (chmod +x /etc/passwd), or correct "command" in its entry
`,
    },
    {
      case: 'its folder does not exist',
      entry: { ...GOOD, cwd: '/no/such/folder' },
      stderr: `error: server "bad" could not start: there is no folder "/no/such/folder" to run it in
  at:  .mcp.json:3:5
  fix: create the folder, or correct "cwd" in its entry
`,
    },
    {
      case: 'it exits at once, with a complaint',
      entry: scriptedServer({
        exitAtStart: { exit: 3, stderr: '\u001B[31mfatal\u001B[0m: no DATABASE_URL\n' },
      }),
      stderr: `error: server "bad" ended with exit code 3
  at:  .mcp.json:3:5
  | fatal: no DATABASE_URL
  fix: fix what it complains about; all it said: plugboard logs bad
`,
    },
    {
      case: 'it exits at once, without a word',
      entry: { command: 'true' },
      stderr: `error: server "bad" ended without an error
  at:  .mcp.json:3:5
  | (it wrote nothing to stderr)
  fix: fix what it complains about; all it said: plugboard logs bad
`,
    },
    {
      case: 'it answers with invalid JSON',
      entry: scriptedServer({ invalidJson: 'always', eras: ['legacy'] }),
      stderr: `error: server "bad" answered with something that is not valid JSON
  at:  .mcp.json:3:5
  | (it wrote nothing to stderr)
  | on stdout, not MCP: {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1.0.0"}}
  fix: update or replace the server; all it said: plugboard logs bad
`,
    },
    {
      case: 'it is silent',
      entry: { ...scriptedServer({ silent: true }), connectTimeout: 300 },
      stderr: `error: server "bad" did not answer within 300 ms
  at:  .mcp.json:3:5
  | (it wrote nothing to stderr)
  fix: check that it is an MCP server; if it only starts slowly, raise "connectTimeout" (milliseconds) in its entry
`,
    },
  ])('is reported beside the others when $case', async ({ entry, stderr }, { expect }) => {
    await using box = await sandbox({ bad: entry, good: GOOD });
    const [all, alone] = await Promise.all([box.run(['tools']), box.run(['call', 'bad', 'echo'])]);
    expect(all).toEqual({ code: 0, stdout: GOOD_TOOLS, stderr });
    expect(alone).toEqual({ code: 2, stdout: '', stderr });
  });
});

const SETTINGS = '.plugboard/settings.json';

interface BadFile {
  readonly case: string;
  readonly spoil: (box: Sandbox) => Promise<unknown>;
  readonly severity?: 'warning';
  readonly at?: string;
  readonly message: string;
  readonly fix: string;
}

const BAD_FILES: readonly BadFile[] = [
  {
    case: 'is a folder',
    spoil: ({ project }) => mkdir(`${project}/${SETTINGS}`, { recursive: true }),
    message: 'this is a folder, not a file',
    fix: 'remove or rename the folder, then write the settings into a file',
  },
  {
    // An administrator may read everything, so permissions would not prevent it everywhere.
    case: 'is a link to itself',
    spoil: async ({ project }) => {
      await mkdir(`${project}/.plugboard`);
      await symlink('settings.json', `${project}/${SETTINGS}`);
    },
    message: 'the file cannot be read (ELOOP)',
    fix: 'check that it is a file which you may read',
  },
  {
    case: 'is a pipe that nobody writes',
    spoil: async ({ project }) => {
      await mkdir(`${project}/.plugboard`);
      await promisify(execFile)('mkfifo', [`${project}/${SETTINGS}`]);
    },
    message: 'the file cannot be read (NOT_A_FILE)',
    fix: 'check that it is a file which you may read',
  },
  {
    case: 'is empty',
    spoil: ({ write }) => write(SETTINGS, ''),
    severity: 'warning',
    message: 'the file is empty',
    fix: 'write { "mcpServers": {} } into it, or delete it',
  },
  {
    case: 'has 50 MB',
    spoil: async ({ write }) => truncate(await write(SETTINGS, '{'), 50 * 1024 * 1024),
    message: 'the file is too large (50.0 MB, at most 16.0 MB)',
    fix: 'check that this is the right file; keep only the settings in it',
  },
  {
    case: 'is not text',
    spoil: ({ write }) => write(SETTINGS, '\0\0\0'),
    message: 'the file is not UTF-8 text',
    fix: 'save it again with the encoding UTF-8',
  },
  {
    case: 'is broken at line 7',
    spoil: ({ write }) => write(SETTINGS, `{${'\n'.repeat(6)}  mcpServers: {}\n}\n`),
    at: ':7:3',
    message: 'this is not valid JSON',
    fix: 'put names and text in double quotes; only true, false and null go without',
  },
];

describe.concurrent('an invalid configuration file', () => {
  it.for(BAD_FILES)(
    'is reported when it $case, and no other file is affected',
    async (bad, { expect }) => {
      await using box = await sandbox({ good: GOOD });
      await bad.spoil(box);
      const severity = bad.severity ?? 'error';
      const stderr = `${severity}: ${bad.message}
  at:  ${SETTINGS}${bad.at ?? ''}
  fix: ${bad.fix}
`;
      const [list, call] = await Promise.all([
        box.run(['list']),
        box.run(['call', 'good', 'echo', 'message=hi']),
      ]);
      expect(list).toMatchObject({ code: severity === 'error' ? 1 : 0, stderr });
      expect(list.stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
        'NAME',
        'good',
        '',
      ]);
      expect(call).toEqual({ code: 0, stdout: 'hi\n', stderr });
    },
  );

  it('keeps the servers around a broken entry at line 7', async ({ expect }) => {
    await using box = await sandbox();
    await box.write(
      '.mcp.json',
      `{
  "mcpServers": {
    "good": ${JSON.stringify(GOOD)},
    "bad": {
      "command": "npx",
      "args": [
        "-y"  "server"
      ]
    }
  }
}
`,
    );
    await box.trust();
    const problem = `a comma is missing before this
  at:  .mcp.json:7:15
  fix: add a comma after what comes before
`;
    const [tools, call] = await Promise.all([box.run(['tools']), box.run(['call', 'bad', 'echo'])]);
    expect(tools).toEqual({
      code: 0,
      stdout: GOOD_TOOLS,
      stderr: `error: server "bad": ${problem}`,
    });
    expect(call).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: server "bad" cannot be used: ${problem}`,
    });
  });

  it('is named in the error for an unknown server, which may be in it', async ({ expect }) => {
    await using box = await sandbox({ good: GOOD });
    await box.write(SETTINGS, '[]');
    expect(await box.run(['call', 'other', 'echo'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: the file must be an object
  at:  ${SETTINGS}:1:1
  fix: write it like { "mcpServers": { "name": { "command": "npx" } } }
error: there is no server "other"
  fix: see the list: plugboard list
`,
    });
  });

  it('makes a command fail if no server is left', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('.mcp.json', '[]');
    expect(await box.run(['tools'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: the file must be an object
  at:  .mcp.json:1:1
  fix: write it like { "mcpServers": { "name": { "command": "npx" } } }
No servers are configured here.
Add one: plugboard add NAME -- COMMAND
`,
    });
  });
});
