import { chmod, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GRANT_TYPES, KEYS, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { onSimulatedTerminal, onTerminal, withoutCursor, withoutStatus } from '../on-terminal.ts';
import { documentOf, finished, sandbox } from '../sandbox.ts';
import { addressIn, place, type Place, signIn, steady } from '../signing-in.ts';

const SSH = { NO_COLOR: '1', SSH_CONNECTION: '10.0.0.1 5000 10.0.0.2 22' };
const HELLO = { code: 0, stdout: 'hello\n', stderr: '' };
const SCREEN = { NO_COLOR: '1', DISPLAY: ':0' };

const callIn = ({ box }: Pick<Place, 'box'>) => box.run(['call', 'docs', 'echo', 'message=hello']);

const OPEN_IT = `To sign in to "docs", open this page in any browser:
  (address)
When you have signed in, the browser goes to a page at 127.0.0.1:(port) that it may not find.
Copy the whole address of that page and paste it here. (With ssh -L (port):127.0.0.1:(port) it comes by itself.)
`;
const SIGNED_IN = `Signed in to "docs", at (issuer).
It has 14 tools. See them: plugboard tools docs
`;

/** A script that acts as a browser, since the command starts a program. */
const BROWSER = `#!${process.execPath}
require('node:fs').writeFileSync(process.env.HOME + '/opened.json', JSON.stringify(process.argv.slice(2)));
fetch(process.argv[2]).then((page) => page.text());
`;

describe.concurrent('plugboard login over SSH', () => {
  verifies('AUT-04', 'AUT-12');

  it('shows the address, accepts the pasted redirect, and the server works afterwards', async ({
    expect,
  }) => {
    await using here = await place();
    expect(await callIn(here)).toEqual({
      code: 4,
      stdout: '',
      stderr: `error: server "docs" requires a sign-in at ${here.issuer.issuer}
  at:  .mcp.json:3:5
  fix: sign in: plugboard login docs
`,
    });
    await using terminal = await onTerminal(here.box, ['login', 'docs'], { env: SSH });
    const text = await terminal.waitFor('Address: ');
    terminal.write(`${await here.issuer.browse(addressIn(text))}${KEYS.enter}`);
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
    const screen = withoutCursor(withoutStatus(terminal.text)).replace(
      /Address: http\S+/,
      'Address: (pasted)',
    );
    expect(steady(screen, here)).toBe(
      `This is an SSH session, so no browser is opened here.\n${OPEN_IT}Address: (pasted)\n${SIGNED_IN}`,
    );
    expect(await callIn(here)).toEqual(HELLO);
    expect(here.server.admitted.map(({ grant }) => grant.subject)).toContain('alice');
  });

  it('signs in to a server that is in no file', async ({ expect }) => {
    await using here = await place();
    const url = ['--url', here.server.url];
    await using terminal = onSimulatedTerminal(here.box, ['login', ...url], { env: SSH });
    const text = await terminal.waitFor('Address: ');
    terminal.write(`${await here.issuer.browse(addressIn(text))}${KEYS.enter}`);
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
    expect(terminal.text).toContain(`See them: plugboard tools ${url.join(' ')}`);
    expect(await here.box.run(['call', ...url, 'echo', 'message=hello'])).toEqual(HELLO);
  });

  it('accepts a redirect that arrives through a forwarded port, and closes the prompt', async ({
    expect,
  }) => {
    await using here = await place();
    await using terminal = onSimulatedTerminal(here.box, ['login', 'docs'], { env: SSH });
    const text = await terminal.waitFor('Address: ');
    const redirect = await here.issuer.browse(addressIn(text));
    const page = await fetch(redirect, { headers: { connection: 'close' } });
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('Sign-in received'),
    ]);
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
    expect(steady(withoutStatus(terminal.text), here)).toContain(SIGNED_IN);
  });

  it('asks again after an invalid address, and accepts one without its scheme', async ({
    expect,
  }) => {
    await using here = await place();
    await using terminal = onSimulatedTerminal(here.box, ['login', 'docs'], { env: SSH });
    const text = await terminal.waitFor('Address: ');
    terminal.write(`nonsense${KEYS.enter}`);
    const again = await terminal.waitFor('Address: ', { from: text.length });
    expect(again).toContain('This is not the address of that page');
    const redirect = await here.issuer.browse(addressIn(text));
    terminal.write(`${redirect.replace('http://', '')}${KEYS.enter}`);
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
  });

  it.for([
    ['Ctrl-C', KEYS.ctrlC, 130],
    ['Ctrl-D', KEYS.ctrlD, 1],
  ] as const)('ends at once with %s, and leaves nothing', async ([, key, code], { expect }) => {
    await using here = await place();
    await using terminal = await onTerminal(here.box, ['login', 'docs'], { env: SSH });
    await terminal.waitFor('Address: ');
    terminal.write(key);
    expect(await terminal.exited).toEqual({ code, signal: undefined });
    expect(terminal.text).toMatch(/error: cancelled\n$/);
    expect((await here.box.run(['auth', 'status'])).stdout).toContain('not-signed-in');
  });
});

describe.concurrent('plugboard login with a browser', () => {
  verifies('AUT-04', 'AUT-12');

  async function browserIn({ box }: Place, text = BROWSER): Promise<string> {
    const program = await box.write('../home/browser.cjs', text);
    await chmod(program, 0o755);
    return program;
  }

  it('opens the page with one program and one argument, and shows its address', async ({
    expect,
  }) => {
    await using here = await place();
    const run = await here.box.run(['login', 'docs'], {
      env: { BROWSER: await browserIn(here) },
    });
    expect({ ...run, stderr: steady(run.stderr, here) }).toEqual({
      code: 0,
      stdout: '',
      stderr: `Sign in to "docs" in your browser. If no page opens, open this one:
  (address)
${SIGNED_IN}`,
    });
    const opened = await readFile(`${here.box.home}/opened.json`, 'utf8');
    expect(JSON.parse(opened)).toEqual([addressIn(run.stderr)]);
    expect(await callIn(here)).toEqual(HELLO);
  });

  it('shows the address if the browser does not open', async ({ expect }) => {
    await using here = await place();
    const env = { ...SCREEN, BROWSER: await browserIn(here, '#!/bin/sh\nexit 3\n') };
    await using terminal = onSimulatedTerminal(here.box, ['login', 'docs'], { env });
    const text = await terminal.waitFor('Address: ');
    expect(text).toContain('The browser could not be opened.\n');
    terminal.write(`${await here.issuer.browse(addressIn(text))}${KEYS.enter}`);
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
  });

  it('falls back to a pasted redirect if there is no screen', async ({ expect }) => {
    await using here = await place();
    await using terminal = onSimulatedTerminal(here.box, ['login', 'docs']);
    expect(await terminal.waitFor('Address: ')).toContain(
      'There is no screen here to open a browser on.\n',
    );
  });

  it('shows what it waits for, and clears that line', async ({ expect }) => {
    await using here = await place();
    // The program accepts the address, but nobody signs in.
    const env = { ...SCREEN, BROWSER: await browserIn(here, '#!/bin/sh\nexit 0\n') };
    await using terminal = onSimulatedTerminal(here.box, ['login', 'docs'], { env });
    const text = await terminal.waitFor('waiting for you to sign in…');
    await fetch(await here.issuer.browse(addressIn(text)), { headers: { connection: 'close' } });
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
    expect(terminal.text).toContain('\r\u001B[KSigned in to "docs"');
  });
});

describe.concurrent('plugboard login --device', () => {
  verifies('AUT-04', 'AUT-12');
  const CODE = /enter the code.*\n {2}(\S+)\n/;

  async function codeOf(here: Place, args: readonly string[] = []) {
    const terminal = await onTerminal(here.box, ['login', 'docs', '--device', ...args]);
    const [, code = ''] = CODE.exec(await terminal.waitFor(CODE)) ?? [];
    return { terminal, code };
  }

  it('shows a page and a code, and waits until the code was entered', async ({ expect }) => {
    await using here = await place();
    const { terminal, code } = await codeOf(here);
    await using _ = terminal;
    await terminal.waitFor('waiting for you to sign in…');
    here.issuer.approveDevice(code);
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
    const screen = withoutStatus(terminal.text).replaceAll(code, '(code)');
    expect(steady(screen, here)).toBe(`To sign in to "docs", open this page on any device:
  (address)
and enter the code, which ends in 10 minutes:
  (code)
Or open this one, which has the code in it:
  (address)
${SIGNED_IN}`);
    expect(await callIn(here)).toEqual(HELLO);
    expect(here.issuer.count({ endpoint: 'authorization' })).toBe(0);
  });

  it('reports that the sign-in was declined', async ({ expect }) => {
    await using here = await place();
    const { terminal, code } = await codeOf(here);
    await using _ = terminal;
    here.issuer.denyDevice(code);
    expect(await terminal.exited).toEqual({ code: 4, signal: undefined });
    expect(steady(terminal.text, here))
      .toContain(`error: server "docs" was not signed in to: it was declined at (issuer)
  at:  .mcp.json:3:5
  fix: sign in again: plugboard login docs
`);
  });

  it('names the other way if the server does not support device codes', async ({ expect }) => {
    await using here = await place({
      issuer: { misbehaviour: { metadata: { device_authorization_endpoint: null } } },
    });
    const run = await here.box.run(['login', 'docs', '--device']);
    expect({ ...run, stderr: steady(run.stderr, here) }).toEqual({
      code: 4,
      stdout: '',
      stderr: `error: server "docs" requires a sign-in at (issuer), which offers no sign-in by a code
  at:  .mcp.json:3:5
  fix: use any browser: plugboard login docs --no-browser
`,
    });
  });

  it('ends at once when it is interrupted', async ({ expect }) => {
    await using here = await place();
    const { terminal } = await codeOf(here);
    await using _ = terminal;
    terminal.write(KEYS.ctrlC);
    expect(await terminal.exited).toEqual({ code: 130, signal: undefined });
    expect(terminal.text).toContain('error: cancelled\n');
  });
});

describe.concurrent('plugboard login --json', () => {
  verifies('AUT-12', 'CLI-03');

  it('prints one document, and the address to stderr', async ({ expect }) => {
    await using here = await place();
    const run = await signIn(here, ['docs', '--json']);
    expect(run.code).toBe(0);
    expect(addressIn(run.stderr)).toContain('/authorize?');
    expect(JSON.parse(run.stdout)).toEqual({
      kind: 'signed-in',
      name: 'docs',
      account: 'default',
      isInUse: true,
      issuer: here.issuer.issuer,
      scopes: ['read', 'offline_access'],
      tools: 14,
      problem: null,
    });
  });

  it('reports what is still wrong after the sign-in', async ({ expect }) => {
    await using here = await place({ server: { misbehaviour: { refusesAll: 'invalid-token' } } });
    const run = await signIn(here, ['docs', '--json']);
    expect([run.code, JSON.parse(run.stdout)]).toEqual([
      4,
      expect.objectContaining({
        kind: 'signed-in',
        tools: null,
        problem: {
          kind: 'unauthorized',
          message: `server "docs" requires a sign-in at ${here.issuer.issuer}`,
          where: '.mcp.json:3:5',
          fix: 'sign in: plugboard login docs',
        },
      }),
    ]);
  });

  it('keeps accounts apart, and explains how to use another one', async ({ expect }) => {
    verifies('AUT-09');
    await using here = await place();
    await signIn(here);
    here.issuer.signIn('bob');
    const other = await signIn(here, ['docs', '--account', 'work']);
    expect(steady(other.stderr, here)).toContain(`Signed in to "docs" as "work", at (issuer).
To use it, write "oauth": { "account": "work" } into its entry, or into another one with the same url.
`);
    const { url } = here.server;
    await here.box.servers({
      docs: { type: 'http', url },
      work: { type: 'http', url, oauth: { account: 'work' } },
    });
    await here.box.run(['call', 'work', 'echo', 'message=hello']);
    expect(here.server.admitted.at(-1)?.grant.subject).toBe('bob');
    await callIn(here);
    expect(here.server.admitted.at(-1)?.grant.subject).toBe('alice');
  });
});

describe.concurrent('plugboard doctor after a sign-in', () => {
  it('shows the issuer of the sign-in', async ({ expect }) => {
    await using here = await place();
    await signIn(here);
    const { stdout } = await here.box.run(['doctor', 'docs']);
    expect(steady(stdout, here)).toContain('ok  sign-in     at (issuer)\n');
  });
});

describe.concurrent('plugboard login for a server without sign-in', () => {
  it.for([
    [
      'local',
      { docs: scriptedServer() },
      1,
      'server "docs" runs on this machine, so there is nothing to sign in to',
    ],
    [
      'a header in the entry',
      { docs: { url: 'http://127.0.0.1:9/mcp', headers: { authorization: 'Bearer x' } } },
      1,
      'server "docs" is given its Authorization header by its entry, so there is no sign-in',
    ],
    [
      'a variable that is not set',
      { docs: { url: 'http://127.0.0.1:9/${NOT_SET}' } },
      1,
      'server "docs" is not completely configured',
    ],
  ] as const)('reports the reason: %s', async ([, entries, code, message], { expect }) => {
    await using box = await sandbox(entries);
    const run = await box.run(['login', 'docs', '--json']);
    expect([run.code, documentOf(run)]).toEqual([
      code,
      { error: expect.objectContaining({ message }) },
    ]);
  });

  it('gives advice for a server of the command line that needs no entry', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run(['login', '--stdio', 'node tools.js'])).toMatchObject({
      code: 1,
      stderr: `error: server "tools-js" runs on this machine, so there is nothing to sign in to
  fix: if it needs a token, give it one in a variable: --env KEY=VALUE
`,
    });
  });

  it('neither contacts an untrusted server nor runs its command', async ({ expect }) => {
    await using here = await place();
    const { url } = here.server;
    const helper = `${process.execPath} -e "fs.writeFileSync('ran','')"`;
    await here.box.write(
      '.mcp.json',
      JSON.stringify({ mcpServers: { docs: { url, headersHelper: helper } } }),
    );
    const before = here.server.requests.length;
    for (const command of [['login'], ['logout'], ['auth', 'import']]) {
      const stdin = '{ "access_token": "x" }';
      const run = await here.box.run([...command, 'docs', '--json'], { stdin });
      expect([run.code, documentOf(run)]).toEqual([
        1,
        { error: expect.objectContaining({ kind: 'untrusted' }) },
      ]);
    }
    expect(here.server.requests.length).toBe(before);
    await expect(here.box.read('ran')).rejects.toThrow('ENOENT');
  });

  it('reports that nothing answers', async ({ expect }) => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await using box = await sandbox({ docs: { url: `http://127.0.0.1:${port}/mcp` } });
    const run = await box.run(['login', 'docs', '--json']);
    expect([run.code, documentOf(run)]).toEqual([
      3,
      { error: expect.objectContaining({ kind: 'unreachable' }) },
    ]);
  });

  it('suggests the nearest name', async ({ expect }) => {
    await using box = await sandbox({ docs: { url: 'http://127.0.0.1:9/mcp' } });
    expect(await box.run(['login', 'dosc'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no server "dosc"\n  fix: did you mean "docs"?\n',
    });
  });

  it('ends when it is interrupted while the server is silent', async ({ expect }) => {
    await using here = await place({
      server: { misbehaviour: { faults: [{ at: 'resource-metadata', kind: 'hang' }] } },
    });
    const child = here.box.start(['login', 'docs', '--no-browser']);
    const ended = finished(child);
    await waitUntil(() => here.server.count({ endpoint: 'resource-metadata' }) > 0, {
      describe: 'the server to be asked',
    });
    child.kill('SIGINT');
    expect(await ended).toEqual({
      code: 130,
      stdout: '',
      stderr: 'error: cancelled\n',
    });
  });
});

describe.concurrent('texts of servers during a sign-in', () => {
  verifies('AUT-11');
  const EVIL = '\u001B[2J\u001B]0;evil\u0007\u202E';

  it('do not reach the terminal unescaped from an error response', async ({ expect }) => {
    await using here = await place();
    for (const error of ['access_denied', `${EVIL}denied`]) {
      here.issuer.misbehave({ authorizationError: { error, description: EVIL } });
      const run = await signIn(here);
      expect(run.code).toBe(4);
      expect(run.stderr).not.toMatch(/[\u001B\u0007\u202E]|evil/);
    }
    expect(here.issuer.count({ endpoint: 'token', grantType: GRANT_TYPES.authorizationCode })).toBe(
      0,
    );
  });

  it('do not reach the terminal unescaped from metadata', async ({ expect }) => {
    await using here = await place({
      server: { misbehaviour: { metadata: { resource: `http://x.example/${EVIL}` } } },
    });
    const run = await here.box.run(['login', 'docs']);
    expect(run).toEqual({
      code: 4,
      stdout: '',
      stderr: `error: server "docs" has the metadata of another server (http://x.example/), so no token was asked for
  at:  .mcp.json:3:5
  fix: correct "url" in its entry, or ask who runs the server
`,
    });
  });

  it('do not reach the terminal unescaped from a device code', async ({ expect }) => {
    await using here = await place({
      issuer: { misbehaviour: { device: { user_code: `AB${EVIL}CD` } } },
    });
    const child = here.box.start(['login', 'docs', '--device']);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.includes('which has the code in it')) child.kill('SIGINT');
    });
    await finished(child);
    expect(said).not.toMatch(/[\u001B\u0007\u202E]/);
  });

  it('cannot obtain the stored credentials through a secret reference', async ({ expect }) => {
    verifies('AUT-10');
    await using here = await place();
    await signIn(here);
    expect(await here.box.run(['secret', 'list'])).toMatchObject({
      stdout: '',
      stderr: 'No secrets are stored.\nStore one: plugboard secret set NAME\n',
    });
    const kept = await readFile(`${here.box.home}/.state/plugboard/secrets.json`, 'utf8');
    const [name = ''] = /oauth\.credential\.\w+/.exec(kept) ?? [];
    expect(name).not.toBe('');
    const thief = { url: here.server.url, headers: { 'X-Thief': `\${secret:${name}}` } };
    await here.box.servers({ docs: { url: here.server.url }, thief });
    const run = await here.box.run(['tools', 'thief', '--json']);
    expect(run.stdout).toContain('which is not stored');
    for (const token of here.issuer.accessTokens) {
      expect(
        JSON.stringify(here.server.requests.map(({ headers }) => headers['x-thief'])),
      ).not.toContain(token.value);
    }
  });

  it('do not contain a used token', async ({ expect }) => {
    await using here = await place();
    const runs = [
      await signIn(here),
      await here.box.run(['auth', 'status', '--json']),
      await here.box.run(['doctor', 'docs']),
      await here.box.run(['list', '--check']),
      await here.box.run(['logout', 'docs']),
    ];
    const said = runs.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    const tokens = [...here.issuer.accessTokens, ...here.issuer.refreshTokens];
    expect(tokens.length).toBeGreaterThan(1);
    expect(tokens.filter(({ value }) => said.includes(value))).toEqual([]);
  });
});
