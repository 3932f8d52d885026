import { scriptedServer, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { exitCodeOfOutcome } from '../src/exit-codes.ts';
import { documentOf, sandbox } from './sandbox.ts';

// Nothing listens on this low port, and fetch does not block it.
const CLOSED = 'http://127.0.0.1:2/mcp';
const RULE = {
  kind: 'not-allowed',
  origin: { kind: 'given', by: 'a test' },
  scope: 'enterprise',
} as const;

describe.concurrent('the exit code', () => {
  verifies('CLI-03');

  it('is 3 when the network fails', async ({ expect }) => {
    await using box = await sandbox({ web: { type: 'http', url: `${CLOSED}?key=tops3cret` } });
    const [tools, call] = await Promise.all([
      box.runProcess(['tools', 'web']),
      box.runProcess(['call', 'web', 'echo', '--json']),
    ]);
    expect(tools).toEqual({
      code: 3,
      stdout: '',
      stderr: `error: server "web" cannot be reached at ${CLOSED} (ECONNREFUSED)
  at:  .mcp.json:3:5
  fix: nothing listens there: start the server, or correct "url" in its entry
`,
    });
    expect(call.code).toBe(3);
    expect(documentOf(call)).toEqual({
      error: {
        kind: 'unreachable',
        message: `server "web" cannot be reached at ${CLOSED} (ECONNREFUSED)`,
        where: '.mcp.json:3:5',
        fix: 'nothing listens there: start the server, or correct "url" in its entry',
      },
    });
  });

  it.for([9, 6000])(
    'is 3 for port %i, which the fetch standard blocks',
    async (port, { expect }) => {
      await using box = await sandbox({
        web: { type: 'http', url: `http://127.0.0.1:${port}/mcp` },
      });
      expect(await box.run(['tools', 'web'])).toEqual({
        code: 3,
        stdout: '',
        stderr: `error: server "web" cannot be reached at http://127.0.0.1:${port}/mcp (BLOCKED_PORT)
  at:  .mcp.json:3:5
  fix: the fetch standard blocks this port, so no program reaches it over HTTP: let the server listen on another port, and correct "url" in its entry
`,
      });
    },
  );

  it('is 3 for a sign-in at an unreachable server', async ({ expect }) => {
    await using box = await sandbox({ web: { type: 'http', url: CLOSED } });
    const [login, forPrograms] = await Promise.all([
      box.run(['login', 'web', '--no-browser']),
      box.run(['login', 'web', '--json']),
    ]);
    expect(login).toEqual({
      code: 3,
      stdout: '',
      stderr: `error: server "web" cannot be reached at ${CLOSED} (ECONNREFUSED)
  at:  .mcp.json:3:5
  fix: nothing listens there: start the server, or correct "url" in its entry
`,
    });
    expect(forPrograms.code).toBe(3);
    expect(documentOf(forPrograms)).toMatchObject({ error: { kind: 'unreachable' } });
  });

  it('is 4 when the server demands a sign-in', async ({ expect }) => {
    await using peer = await startScriptedHttp({ http: { status: 401 } });
    await using box = await sandbox({ web: { type: 'http', url: peer.url } });
    expect(await box.runProcess(['call', 'web', 'echo', 'message=x'])).toEqual({
      code: 4,
      stdout: '',
      stderr: `error: server "web" requires a sign-in at ${new URL(peer.url).origin}/
  at:  .mcp.json:3:5
  fix: sign in: plugboard login web
`,
    });
  });

  it('is 2 when the server fails, with the kind of failure', async ({ expect }) => {
    await using broken = await startScriptedHttp({ http: { status: 502 } });
    await using page = await startScriptedHttp({ http: { html: true } });
    await using box = await sandbox({
      refuses: scriptedServer(),
      crashes: scriptedServer({ crashOn: { tool: 'echo', exit: 7, stderr: 'out of cheese\n' } }),
      gateway: { type: 'http', url: broken.url },
      website: { type: 'http', url: page.url },
    });
    const [refused, crashed, gateway, website] = await Promise.all([
      box.runProcess(['call', 'refuses', 'rpc-error']),
      box.run(['call', 'crashes', 'echo', 'message=x']),
      box.run(['tools', 'gateway']),
      box.run(['tools', 'website']),
    ]);
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: server "refuses" refused with error -32603: the request failed
  at:  .mcp.json:3:5
  fix: see what it logged: plugboard logs refuses; if it is about what you asked, ask otherwise
`,
    });
    expect(crashed).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: server "crashes" ended with exit code 7
  at:  .mcp.json:4:5
  | out of cheese
  fix: fix what it complains about; all it said: plugboard logs crashes
`,
    });
    expect(gateway).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: server "gateway" answered HTTP 502 at ${broken.url}
  at:  .mcp.json:5:5
  fix: the trouble is on its side: try again later, or ask who runs it
`,
    });
    expect(website).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: server "website" does not speak MCP at ${page.url}: it answered with a web page (text/html)
  at:  .mcp.json:6:5
  fix: open that address in a browser and see what answers, often a sign-in page or a proxy; then correct "url" in its entry
`,
    });
  });

  it('is 1 when the server may not or cannot be tried', async ({ expect }) => {
    await using box = await sandbox({
      off: { command: 'x', disabled: true },
      unset: { command: '${NOT_SET}' },
    });
    const [off, unset] = await Promise.all([
      box.runProcess(['call', 'off', 'x']),
      box.run(['call', 'unset', 'x']),
    ]);
    expect(off).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: server "off" is disabled
  at:  .mcp.json:3:5
  fix: use it again: plugboard enable off
`,
    });
    expect(unset).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: server "unset" is not completely configured
  at:  .mcp.json:4:5
  | "unset" needs the environment variable NOT_SET (in "command"), which is not set
  fix: set NOT_SET, or write a default: \${NOT_SET:-value}
`,
    });
  });

  it('is 5 when a rule denies the call or the server', ({ expect }) => {
    const called = { server: 's', tool: 't' };
    expect([
      exitCodeOfOutcome({
        ...called,
        kind: 'denied',
        reason: 'no',
        by: {
          kind: 'approver',
          decision: { kind: 'ask', because: { kind: 'default', case: 'no-rule' } },
        },
        needs: [],
      }),
      exitCodeOfOutcome({
        ...called,
        kind: 'not-connected',
        reason: { kind: 'blocked', rule: RULE },
      }),
    ]).toEqual([5, 5]);
  });
});
