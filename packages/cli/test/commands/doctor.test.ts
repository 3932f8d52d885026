import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { scriptedServer, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, sandbox } from '../sandbox.ts';

const GONE = { command: 'no-such-command-here' };
// Nothing listens on this low port, and fetch does not block it.
const CLOSED = 'http://127.0.0.1:2/mcp';

/** An HTTPS server with a certificate of an unknown authority. */
async function startSelfSigned(): Promise<AsyncDisposable & { readonly url: string }> {
  const pem = (name: string): string =>
    readFileSync(
      new URL(`../../../host/test/protocol/fixtures/tls/${name}`, import.meta.url),
      'utf8',
    );
  const server = createServer({ cert: pem('server.pem'), key: pem('server.key.pem') });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Replaces values that differ from run to run. */
function timeless(text: string): string {
  return text.replaceAll(/\d+(?:\.\d+)? m?s\b/g, 'N ms');
}

const LOCAL_START = `  ok      configured  .mcp.json:3:5 (project)
  ok      variables   all that it needs are set
  ok      program     ${process.execPath}
  ok      process     started
`;

function remoteStart(url: string): string {
  return `  ok      configured  .mcp.json:3:5 (project)
  ok      variables   all that it needs are set
  ok      address     ${url}
`;
}

describe.concurrent('plugboard doctor NAME', () => {
  it('shows the steps of a server that works', async ({ expect }) => {
    await using box = await sandbox({ good: scriptedServer({ builtIns: ['echo'] }) });
    const { code, stdout, stderr } = await box.run(['doctor', 'good']);
    expect({ code, stdout: timeless(stdout), stderr }).toEqual({
      code: 0,
      stdout: `Server "good" works.

  ok  configured  .mcp.json:3:5 (project)
  ok  variables   all that it needs are set
  ok  program     ${process.execPath}
  ok  process     started
  ok  answer      from scripted 1.0.0
  ok  era         legacy, revision 2025-11-25
  ok  tools       1 listed in N ms

See what it can do: plugboard tools good
`,
      stderr: '',
    });
  });

  it('explains a missing command', async ({ expect }) => {
    await using box = await sandbox({ gone: GONE });
    expect(await box.run(['doctor', 'gone'])).toEqual({
      code: 2,
      stdout: `Server "gone" does not work.

  ok      configured  .mcp.json:3:5 (project)
  ok      variables   all that it needs are set
  failed  program     no-such-command-here

error: server "gone" could not start: there is no command "no-such-command-here"
  at:  .mcp.json:3:5
  | looked for in: ${box.env['PATH']}
  fix: install no-such-command-here, or correct "command" in its entry
`,
      stderr: '',
    });
  });

  it('explains a variable that is not set, and a disabled server', async ({ expect }) => {
    await using box = await sandbox({
      unset: { command: 'x', args: ['${UNSET}'] },
      off: { command: 'x', disabled: true },
    });
    expect(await box.run(['doctor', 'unset'])).toEqual({
      code: 1,
      stdout: `Server "unset" does not work.

  ok      configured  .mcp.json:3:5 (project)
  failed  variables   not all that it needs are set

error: server "unset" is not completely configured
  at:  .mcp.json:3:5
  | "unset" needs the environment variable UNSET (in "args[0]"), which is not set
  fix: set UNSET, or write a default: \${UNSET:-value}
`,
      stderr: '',
    });
    expect(await box.run(['doctor', 'off'])).toEqual({
      code: 1,
      stdout: `Server "off" does not work.

  failed  configured  not in use

error: server "off" is disabled
  at:  .mcp.json:4:5
  fix: use it again: plugboard enable off
`,
      stderr: '',
    });
  });

  it('explains a program that exits at once, with its last output', async ({ expect }) => {
    const exitAtStart = { exit: 3, stderr: 'API_KEY is missing\n' };
    await using box = await sandbox({ dies: scriptedServer({ exitAtStart }) });
    expect(await box.run(['doctor', 'dies'])).toEqual({
      code: 2,
      stdout: `Server "dies" does not work.

${LOCAL_START}  failed  answer      none that could be used

error: server "dies" ended with exit code 3
  at:  .mcp.json:3:5
  | API_KEY is missing
  fix: if it may have API_KEY, name it in its entry, since it sees no other variables of yours: "env": { "API_KEY": "\${API_KEY}" }
`,
      stderr: '',
    });
  });

  it('shows the output of a program that does not answer', async ({ expect }) => {
    const say = 'echo "Error: connect ECONNREFUSED 127.0.0.1:6379" >&2; exec sleep 600';
    const waits = { command: 'sh', args: ['-c', say], connectTimeout: 3000 };
    await using box = await sandbox({ waits });
    expect((await box.run(['doctor', 'waits'])).stdout).toContain(`
  | Error: connect ECONNREFUSED 127.0.0.1:6379
  fix: fix what it complains about, if it does; if it only starts slowly, raise "connectTimeout" (milliseconds) in its entry
`);
  });

  it('explains a program that stays silent', async ({ expect }) => {
    const silent = { ...scriptedServer({ silent: true }), connectTimeout: 700 };
    await using box = await sandbox({ silent });
    expect(await box.run(['doctor', 'silent'])).toEqual({
      code: 2,
      stdout: `Server "silent" does not work.

${LOCAL_START}  failed  answer      none that could be used

error: server "silent" did not answer within 700 ms
  at:  .mcp.json:3:5
  | (it wrote nothing to stderr)
  fix: check that it is an MCP server; if it only starts slowly, raise "connectTimeout" (milliseconds) in its entry
`,
      stderr: '',
    });
  });

  it('explains a program that crashes again and again', async ({ expect }) => {
    const exitAfterInitialize = { exit: 9, stderr: 'out of cheese\n' };
    await using box = await sandbox({ loop: scriptedServer({ exitAfterInitialize }) });
    expect(await box.run(['doctor', 'loop'])).toEqual({
      code: 2,
      stdout: `Server "loop" does not work.

${LOCAL_START}  ok      answer      from scripted 1.0.0
  ok      era         legacy, revision 2025-11-25
  failed  tools       not listed

error: server "loop" crashed 5 times within a minute and is left alone for now
  at:  .mcp.json:3:5
  | out of cheese
  fix: read its last output above and fix the cause; it can start again in a minute
`,
      stderr: '',
    });
  });

  it('explains a server of another era', async ({ expect }) => {
    await using peer = await startScriptedHttp({ eras: ['legacy'] });
    await using box = await sandbox({ old: { type: 'http', url: peer.url, protocol: 'modern' } });
    expect(await box.run(['doctor', 'old'])).toEqual({
      code: 2,
      stdout: `Server "old" does not work.

${remoteStart(peer.url)}  ok      sign-in     none asked for
  ok      answer      the server answered
  failed  era         not the one that was asked for

error: server "old" does not speak the modern protocol
  at:  .mcp.json:3:5
  | Version negotiation failed: the server did not offer pinned protocol version 2026-07-28 via server/discover (no fallback in pin mode)
  fix: remove "protocol" from its entry, so that it is found out
`,
      stderr: '',
    });
  });

  it.for([
    {
      what: 'where nothing listens',
      url: CLOSED,
      code: 'ECONNREFUSED',
      fix: 'nothing listens there: start the server, or correct "url" in its entry',
    },
    {
      what: 'of a host that there is not',
      url: 'http://no-such-host.invalid/mcp',
      code: 'ENOTFOUND',
      fix: 'the host name is not known: correct "url" in its entry, or check your network',
    },
  ])('explains a URL $what', async ({ url, code, fix }, { expect }) => {
    await using box = await sandbox({ web: { type: 'http', url } });
    expect(await box.run(['doctor', 'web'])).toEqual({
      code: 3,
      stdout: `Server "web" does not work.

  ok      configured  .mcp.json:3:5 (project)
  ok      variables   all that it needs are set
  failed  address     ${url}

error: server "web" cannot be reached at ${url} (${code})
  at:  .mcp.json:3:5
  fix: ${fix}
`,
      stderr: '',
    });
  });

  it('explains a certificate of an unknown authority', async ({ expect }) => {
    await using peer = await startSelfSigned();
    await using box = await sandbox({ web: { type: 'http', url: peer.url } });
    expect(await box.run(['doctor', 'web'])).toEqual({
      code: 3,
      stdout: `Server "web" does not work.

  ok      configured  .mcp.json:3:5 (project)
  ok      variables   all that it needs are set
  failed  address     ${peer.url}

error: server "web" cannot be reached at ${peer.url} (UNABLE_TO_VERIFY_LEAF_SIGNATURE)
  at:  .mcp.json:3:5
  fix: no known authority signed its certificate: if you trust it, set NODE_EXTRA_CA_CERTS to the file of the one that did
`,
      stderr: '',
    });
  });

  it('explains a server that demands a sign-in', async ({ expect }) => {
    await using peer = await startScriptedHttp({ http: { status: 401 } });
    await using box = await sandbox({ web: { type: 'http', url: peer.url } });
    expect(await box.run(['doctor', 'web'])).toEqual({
      code: 4,
      stdout: `Server "web" does not work.

${remoteStart(peer.url)}  failed  sign-in     asked for

error: server "web" requires a sign-in at ${new URL(peer.url).origin}/
  at:  .mcp.json:3:5
  fix: sign in: plugboard login web
`,
      stderr: '',
    });
  });

  it.for([
    {
      http: { status: 404 },
      says: 'answered HTTP 404 at URL',
      fix: 'check the host and the path of "url" in its entry: MCP servers often listen at /mcp; older ones at /sse, with "type": "sse"',
    },
    {
      http: { status: 500 },
      says: 'answered HTTP 500 at URL',
      fix: 'the trouble is on its side: try again later, or ask who runs it',
    },
    {
      http: {
        status: 400,
        body: {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32_600, message: 'Already initialized' },
        },
      },
      says: 'answered HTTP 400 at URL: Already initialized',
      fix: 'the trouble is on its side: try again later, or ask who runs it',
    },
    {
      http: { html: true },
      says: 'does not speak MCP at URL: it answered with a web page (text/html)',
      fix: 'open that address in a browser and see what answers, often a sign-in page or a proxy; then correct "url" in its entry',
    },
  ] as const)('explains a server that $says', async ({ http, says, fix }, { expect }) => {
    await using peer = await startScriptedHttp({ http });
    await using box = await sandbox({ web: { type: 'http', url: peer.url } });
    expect(await box.run(['doctor', 'web'])).toEqual({
      code: 2,
      stdout: `Server "web" does not work.

${remoteStart(peer.url)}  ok      sign-in     none asked for
  failed  answer      none that could be used

error: server "web" ${says.replace('URL', peer.url)}
  at:  .mcp.json:3:5
  fix: ${fix}
`,
      stderr: '',
    });
  });

  it('prints the same with --json', async ({ expect }) => {
    await using box = await sandbox({ gone: GONE });
    const run = await box.run(['doctor', 'gone', '--json']);
    expect(run.code).toBe(2);
    expect(documentOf(run)).toEqual({
      name: 'gone',
      works: false,
      steps: [
        { step: 'configured', state: 'ok', detail: '.mcp.json:3:5 (project)' },
        { step: 'variables', state: 'ok', detail: 'all that it needs are set' },
        { step: 'program', state: 'failed', detail: 'no-such-command-here' },
      ],
      problem: {
        kind: 'command-not-found',
        message: 'server "gone" could not start: there is no command "no-such-command-here"',
        where: '.mcp.json:3:5',
        details: [`looked for in: ${box.env['PATH']}`],
        fix: 'install no-such-command-here, or correct "command" in its entry',
      },
    });
  });

  it('suggests the nearest name', async ({ expect }) => {
    await using box = await sandbox({ gone: GONE });
    expect(await box.run(['doctor', 'goen'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no server "goen"\n  fix: did you mean "gone"?\n',
    });
  });
});

describe.concurrent('plugboard doctor', () => {
  it('prints one line for each server, and the problems of the configuration', async ({
    expect,
  }) => {
    await using box = await sandbox({
      good: scriptedServer({ builtIns: ['echo'] }),
      gone: GONE,
      off: { ...GONE, disabled: true },
      bad: { comand: 'x' },
    });
    const { code, stdout, stderr } = await box.run(['doctor']);
    expect({ code, stdout: timeless(stdout), stderr }).toEqual({
      code: 1,
      stdout: `invalid   bad
failed    gone  could not start: there is no command "no-such-command-here"
ok        good  1 tool in N ms
disabled  off

See more: plugboard doctor gone
`,
      stderr: `error: server "bad": it has neither a "command" nor a "url"
  at:  .mcp.json:6:5
  fix: add one of them: "command": "npx", or "url": "https://example.com/mcp"
warning: server "bad": "comand" is not a field of an entry and has no effect
  at:  .mcp.json:6:13
  fix: use "command" instead
`,
    });
  });
});

describe.concurrent('plugboard list --check', () => {
  verifies('CON-03');

  it('connects to every server and shows its state', async ({ expect }) => {
    await using modern = await startScriptedHttp({ builtIns: ['echo', 'add'] });
    await using locked = await startScriptedHttp({ http: { status: 401 } });
    await using box = await sandbox({
      good: scriptedServer({ builtIns: ['echo'] }),
      web: { type: 'http', url: modern.url },
      locked: { type: 'http', url: locked.url },
      off: { ...GONE, disabled: true },
    });
    const { code, stdout, stderr } = await box.run(['list', '--check', '--json']);
    const { servers, diagnostics } = JSON.parse(stdout) as {
      servers: readonly Record<string, unknown>[];
      diagnostics: unknown;
    };
    expect({ code, stderr, diagnostics }).toEqual({ code: 0, stderr: '', diagnostics: [] });
    expect(
      servers.map(({ name, state, era, revision, tools, ms }) => [
        name,
        state,
        era,
        revision,
        tools,
        typeof ms,
      ]),
    ).toEqual([
      ['good', 'ready', 'legacy', '2025-11-25', 1, 'number'],
      ['locked', 'needs-auth', null, null, null, 'number'],
      ['off', 'disabled', null, null, null, 'object'],
      ['web', 'ready', 'modern', '2026-07-28', 2, 'number'],
    ]);
    expect(servers[1]?.['problem']).toEqual({
      kind: 'unauthorized',
      message: `server "locked" requires a sign-in at ${new URL(locked.url).origin}/`,
      where: '.mcp.json:5:5',
      fix: 'sign in: plugboard login locked',
    });
  });

  it('prints a table for people, and fails when a required server fails', async ({ expect }) => {
    const good = { command: 'sh', args: ['-c', `exec ${quoted({ builtIns: ['echo'] })}`] };
    await using box = await sandbox({ good, gone: { ...GONE, required: true } });
    const { code, stdout, stderr } = await box.run(['list', '--check']);
    const cells = timeless(stdout)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/).slice(0, 7));
    expect(cells).toEqual([
      ['NAME', 'STATE', 'TOOLS', 'TIME', 'ERA', 'REVISION', 'TYPE'],
      ['gone', 'failed', '-', 'N ms', '-', '-', 'stdio'],
      ['good', 'ready', '1', 'N ms', 'legacy', '2025-11-25', 'stdio'],
    ]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: server "gone" could not start: there is no command "no-such-command-here"
  at:  .mcp.json:4:5
  | looked for in: ${box.env['PATH']}
  fix: install no-such-command-here, or correct "command" in its entry
1 of 2 servers failed.
`,
    });
  });

  it('fails with --strict when any server fails, and reports how many did', async ({ expect }) => {
    verifies('CLI-11');
    const good = scriptedServer({ builtIns: ['echo'] });
    await using box = await sandbox({ good, gone: GONE, off: { ...GONE, disabled: true } });
    const [lax, strict, forPrograms, alias, wrong] = await Promise.all([
      box.run(['list', '--check']),
      box.run(['list', '--check', '--strict']),
      box.run(['list', '--check', '--strict', '--json']),
      box.run(['ls', '--check']),
      box.run(['list', '--strict']),
    ]);
    expect([lax, strict, forPrograms, alias, wrong].map(({ code }) => code)).toEqual([
      0, 2, 2, 0, 1,
    ]);
    for (const { stderr } of [lax, strict, alias]) {
      expect(stderr).toMatch(/\n1 of 2 servers failed\.\n$/);
    }
    expect(wrong.stderr).toContain('fix: add --check: plugboard list --check --strict\n');
    await using well = await sandbox({ good });
    const { code, stderr } = await well.run(['list', '--check', '--strict']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 server checked, none failed.\n' });
  });
});

function quoted(script: Parameters<typeof scriptedServer>[0]): string {
  const { command, args } = scriptedServer(script);
  return [command, ...args].map((word) => `'${word}'`).join(' ');
}
