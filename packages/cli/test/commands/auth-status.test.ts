import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';
import { place, signIn, steady } from '../signing-in.ts';

interface Document {
  readonly signIns: readonly { readonly name: string; readonly state: string }[];
}

async function statesIn(box: Sandbox): Promise<Readonly<Record<string, string>>> {
  const { signIns } = documentOf(await box.run(['auth', 'status', '--json'])) as Document;
  return Object.fromEntries(signIns.map(({ name, state }) => [name, state]));
}

describe.concurrent('plugboard auth status', () => {
  verifies('AUT-12');

  it('shows the sign-in of each server, without a request', async ({ expect }) => {
    await using here = await place({ issuer: { accessTokenSeconds: 25 * 3600 } });
    await signIn(here);
    await signIn(here, ['docs', '--account', 'work']);
    const before = [here.server.requests.length, here.issuer.requests.length];
    const { code, stdout, stderr } = await here.box.run(['auth', 'status']);
    expect({ code, stdout: steady(stdout, here), stderr }).toEqual({
      code: 0,
      stdout: `NAME  STATE      ACCOUNT            TOKEN             SIGNED IN               SCOPES               AT
docs  signed-in  default            renewed in 1 day  less than a minute ago  read offline_access  (issuer)
docs  signed-in  work (not in use)  renewed in 1 day  less than a minute ago  read offline_access  (issuer)
`,
      stderr: '',
    });
    expect([here.server.requests.length, here.issuer.requests.length]).toEqual(before);
  });

  it('distinguishes every kind of sign-in', async ({ expect }) => {
    const url = 'http://127.0.0.1:9/mcp';
    const oauth = { clientId: 'me', grant: 'client_credentials' };
    await using box = await sandbox({
      local: scriptedServer(),
      plain: { url },
      header: { url, headers: { Authorization: 'Bearer ${secret:T}' } },
      helper: { url, headersHelper: `${process.execPath} -e "fs.writeFileSync('ran','')"` },
      machine: { url, oauth },
      off: { url, disabled: true },
      unset: { url: 'http://127.0.0.1:9/${NOT_SET}' },
      eager: { url, lifecycle: 'eager' },
    });
    expect(await statesIn(box)).toEqual({
      plain: 'not-signed-in',
      header: 'header',
      helper: 'helper',
      machine: 'machine',
      off: 'not-signed-in',
      unset: 'unknown',
      eager: 'not-signed-in',
    });
    await expect(box.read('ran')).rejects.toThrow('ENOENT');
  });

  it('remembers that a server demanded a sign-in until the next sign-in', async ({ expect }) => {
    verifies('AUT-05');
    await using here = await place();
    const call = () => here.box.run(['call', 'docs', 'echo', 'message=hello']);
    await call();
    const before = here.server.requests.length;
    const { code, stderr } = await call();
    expect([code, steady(stderr, here)]).toEqual([
      4,
      `error: server "docs" requires a sign-in at (issuer)
  at:  .mcp.json:3:5
  | it said so less than a minute ago, and was not asked again; to ask it: plugboard doctor docs
  fix: sign in: plugboard login docs
`,
    ]);
    expect(here.server.requests.length).toBe(before);
    const status = await here.box.run(['auth', 'status']);
    expect([steady(status.stdout, here), status.stderr]).toEqual([
      `NAME  STATE          ACCOUNT  TOKEN                             SIGNED IN  SCOPES  AT
docs  needs-sign-in  default  asked for less than a minute ago  -          -       (issuer)
`,
      'Sign in: plugboard login docs\n',
    ]);
    await signIn(here);
    expect(await call()).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
    expect(await statesIn(here.box)).toEqual({ docs: 'signed-in' });
  });

  it('reports an expired token that cannot be renewed', async ({ expect }) => {
    // The server accepts the token for longer than the issuer states, since the sign-in connects to it.
    const tokens = { fields: { expires_in: 0 } };
    await using here = await place({
      issuer: { refreshTokens: 'none', misbehaviour: { tokens } },
    });
    await signIn(here);
    expect(await statesIn(here.box)).toEqual({ docs: 'expired' });
    expect((await here.box.run(['auth', 'status'])).stderr).toBe('Sign in: plugboard login docs\n');
  });

  it('shows one server, and explains why a local one has no sign-in', async ({ expect }) => {
    await using box = await sandbox({
      local: scriptedServer(),
      docs: { url: 'http://127.0.0.1:9' },
    });
    expect((await box.run(['auth', 'status', 'docs'])).stdout).toBe(
      `NAME  STATE          ACCOUNT  TOKEN  SIGNED IN  SCOPES  AT
docs  not-signed-in  default  -      -          -       http://127.0.0.1:9
`,
    );
    expect([
      await box.run(['auth', 'status', 'local']),
      await box.run(['auth', 'status', 'dosc']),
    ]).toEqual([
      {
        code: 1,
        stdout: '',
        stderr: `error: server "local" runs on this machine, so there is nothing to sign in to
  fix: see those that are on the network: plugboard auth status
`,
      },
      {
        code: 1,
        stdout: '',
        stderr: 'error: there is no server "dosc"\n  fix: did you mean "docs"?\n',
      },
    ]);
  });

  it('has nothing to show if all servers are local', async ({ expect }) => {
    await using box = await sandbox({ local: scriptedServer() });
    expect(await box.run(['auth', 'status'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No remote servers are configured here.\nAdd one: plugboard add NAME URL\n',
    });
  });

  it('reports that the store cannot be read', async ({ expect }) => {
    await using here = await place();
    await signIn(here);
    await here.box.write('../home/.state/plugboard/secrets.json', '{');
    expect(await statesIn(here.box)).toEqual({ docs: 'unknown' });
    expect((await here.box.run(['secret', 'list'])).code).toBe(1);
  });
});
