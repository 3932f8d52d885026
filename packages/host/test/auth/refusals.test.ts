import { spawn } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Scope } from '@plugboard/base';
import {
  type AuthorizationServer,
  ManualClock,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
  startScriptedHttp,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  allowAll,
  type CallOutcome,
  createHost,
  type HostOptions,
  toModelText,
} from '../../src/index.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { echo, oneUser, type OneUser } from './one-user.ts';

const MINUTE_MS = 60_000;

interface Stage {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly clock: ManualClock;
  readonly user: OneUser;
  /** The number of requests, to the server and to the authorization server. */
  reached(): number;
  needed(since?: number): CallOutcome;
}

async function stage(scope: Scope, always: HostOptions = {}): Promise<Stage> {
  const clock = new ManualClock();
  const issuer = scope.use(await startAuthorizationServer({ clock }));
  const server = scope.use(await startProtectedServer({ issuer, clock }));
  const user = await oneUser(scope, { clock, ...always });
  return {
    ...{ issuer, server, clock, user },
    reached: () => issuer.requests.length + server.requests.length,
    needed: (since) => ({
      server: 'notes',
      tool: 'echo',
      kind: 'needs-auth',
      url: server.url,
      reason: { kind: 'sign-in-needed', issuer: issuer.issuer },
      ...(since === undefined ? {} : { since }),
    }),
  };
}

function notes({ server }: Pick<Stage, 'server'>): { readonly notes: { readonly url: string } } {
  return { notes: { url: server.url } };
}

describe('a server that demands a sign-in', () => {
  it('is not contacted for 15 minutes, and tried again after that', async () => {
    verifies('AUT-05');
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run(notes(at));
    const since = at.clock.now();
    expect(await echo(host, 'notes')).toEqual(at.needed());
    const before = at.reached();

    await at.clock.advance(15 * MINUTE_MS - 1);
    expect(await echo(host, 'notes')).toEqual(at.needed(since));
    expect(host.servers.map(({ state, next }) => [state, next])).toEqual([
      [
        {
          kind: 'needs-auth',
          url: at.server.url,
          reason: { kind: 'sign-in-needed', issuer: at.issuer.issuer },
          since,
        },
        'sign-in',
      ],
    ]);
    expect(at.reached()).toBe(before);

    await at.clock.advance(1);
    expect(await echo(host, 'notes')).toEqual(at.needed());
    expect(at.reached()).toBeGreaterThan(before);
  });

  it('is not contacted by programs that start later, too', async () => {
    verifies('AUT-05');
    await using scope = new Scope();
    const at = await stage(scope);
    const first = await at.user.run(notes(at));
    const since = at.clock.now();
    await echo(first, 'notes');
    await first.close();
    const before = at.reached();

    await at.clock.advance(MINUTE_MS);
    const second = await at.user.run(notes(at));
    expect(await echo(second, 'notes')).toEqual(at.needed(since));
    expect((await second.tools()).problems).toEqual([{ ...at.needed(since), tool: '' }]);
    expect(at.reached()).toBe(before);
  });

  it('is used right after a sign-in, in every process', async () => {
    verifies('AUT-05');
    await using scope = new Scope();
    const at = await stage(scope);
    const [waiting, other] = [await at.user.run(notes(at)), await at.user.run(notes(at))];
    expect((await echo(waiting, 'notes')).kind).toBe('needs-auth');
    const signedIn = await other.login('notes', inBrowser(followingBrowser()));
    expect(signedIn.kind).toBe('signed-in');
    expect((await echo(waiting, 'notes')).kind).toBe('result');
  });

  it('is tried when its state is requested', async () => {
    verifies('AUT-05');
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run(notes(at));
    await echo(host, 'notes');
    const before = at.server.requests.length;
    const checked = await host.tools({ fresh: true });
    expect(checked.problems).toEqual([{ ...at.needed(), tool: '' }]);
    expect(at.server.requests.length).toBeGreaterThan(before);
  });

  it('is tried when its entry has changed, and after signing out', async () => {
    verifies('AUT-05');
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run(notes(at));
    await echo(host, 'notes');

    const changed = await at.user.run({
      notes: { url: at.server.url, headers: { 'X-Team': 'blue' } },
    });
    expect(await echo(changed, 'notes')).toEqual(at.needed());

    const before = at.server.requests.length;
    await host.logout('notes');
    expect(await echo(host, 'notes')).toEqual(at.needed());
    expect(at.server.requests.length).toBeGreaterThan(before);
  });

  it('is still used with another account', async () => {
    verifies('AUT-05', 'AUT-09');
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run({
      notes: { url: at.server.url },
      work: { url: at.server.url, oauth: { account: 'work' } },
    });
    expect((await echo(host, 'notes')).kind).toBe('needs-auth');
    await host.login('notes', { ...inBrowser(followingBrowser()), account: 'work' });
    expect((await echo(host, 'work')).kind).toBe('result');
    expect(await echo(host, 'notes')).toEqual(at.needed(at.clock.now()));
  });

  it('prompts for a sign-in where a browser is available, if there was no prompt yet', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const silent = await at.user.run(notes(at));
    await echo(silent, 'notes');
    const asking = await at.user.run(notes(at), {
      authorization: { browser: followingBrowser() },
    });
    expect((await echo(asking, 'notes')).kind).toBe('result');
  });

  it('does not prompt again when the person has declined', async () => {
    verifies('AUT-05');
    await using scope = new Scope();
    const at = await stage(scope);
    at.issuer.answerWith('denied');
    const browsers = [followingBrowser(), followingBrowser()] as const;
    const reason = { kind: 'denied', issuer: at.issuer.issuer, error: 'access_denied' };
    for (const browser of browsers) {
      const host = await at.user.run(notes(at), { authorization: { browser } });
      for (let times = 0; times < 3; times += 1) {
        expect(await echo(host, 'notes')).toMatchObject({ kind: 'needs-auth', reason });
      }
    }
    expect(browsers.map(({ visited }) => visited.length)).toEqual([1, 0]);
  });
});

describe('the record of a refusal excludes', () => {
  it('an authorization server that fails: a credential stays valid', async () => {
    verifies('AUT-05', 'AUT-06');
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run(notes(at));
    await host.login('notes', inBrowser(followingBrowser()));
    at.issuer.revokeAccessTokens();
    at.issuer.misbehave({
      faults: [{ at: 'token', grantType: 'refresh_token', kind: 'status', status: 503, times: 1 }],
    });
    expect(await echo(host, 'notes')).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'denied', error: 'server_error' },
    });
    expect((await echo(host, 'notes')).kind).toBe('result');
  });

  it('a refusal that a newer credential makes obsolete, however it was stored', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run(notes(at));
    await host.login('notes', inBrowser(followingBrowser()));
    at.issuer.revokeEverything();
    expect((await echo(host, 'notes')).kind).toBe('needs-auth');
    const kept = await refusalsOf(at.user);
    await at.clock.advance(1);
    await host.login('notes', inBrowser(followingBrowser()));
    // As after a crash between the two: the credential is stored, and the refusal still exists.
    for (const { path, text } of kept) await writeFile(path, text);
    const other = await at.user.run(notes(at));
    expect((await echo(other, 'notes')).kind).toBe('result');
    expect(await refusalsOf(at.user)).toEqual([]);
  });

  it('broken files and records from the future', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run(notes(at));
    await echo(host, 'notes');
    const [kept] = await refusalsOf(at.user);
    const record = JSON.parse(kept?.text ?? '') as object;
    const broken = [
      '{',
      '[]',
      JSON.stringify({ ...record, format: 2 }),
      JSON.stringify({ ...record, at: at.clock.now() + 1 }),
      JSON.stringify({ ...record, at: 'now' }),
      JSON.stringify({ ...record, problem: { kind: 'unheard-of' } }),
      JSON.stringify({ ...record, problem: { kind: 'sign-in-needed', issuer: 7 } }),
    ];
    for (const text of broken) {
      await writeFile(kept?.path ?? '', text);
      expect(await echo(host, 'notes')).toEqual(at.needed());
    }
  });
});

describe('the stored record of a refusal', () => {
  it('is private, and contains no secret and no address of the server', async () => {
    verifies('AUT-10');
    await using scope = new Scope();
    const at = await stage(scope);
    const url = `${at.server.url}?key=in-the-address`;
    const host = await at.user.run({ notes: { url, headers: { 'X-Key': 'in-a-header' } } });
    await host.login('notes', inBrowser(followingBrowser()));
    at.issuer.revokeEverything();
    await echo(host, 'notes');
    const [kept, ...others] = await refusalsOf(at.user);
    expect(others).toEqual([]);
    expect(JSON.parse(kept?.text ?? '')).toEqual({
      format: 1,
      account: 'default',
      at: at.clock.now(),
      problem: { kind: 'sign-in-needed', issuer: at.issuer.issuer },
    });
    const shown = `${kept?.path} ${kept?.text}`;
    for (const secret of [...at.issuer.everySecret(), 'in-the-address', 'in-a-header']) {
      expect(shown).not.toContain(secret);
    }
    expect((await stat(kept?.path ?? '')).mode & 0o777).toBe(0o600);
  });
});

describe('the message to a model about a server that demands a sign-in', () => {
  it('names the command by which the user can sign in', async () => {
    verifies('AUT-05', 'CAL-05');
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.user.run(notes(at));
    expect(toModelText(await echo(host, 'notes'))).toBe(
      'Server "notes" needs the user to sign in. Ask the user to run: plugboard login notes\n' +
        'The call was not made. Do not repeat it before the user has signed in.',
    );
  });

  it('does not advise to sign in where the entry of the server has the key that is refused', async () => {
    verifies('AUT-05', 'CAL-05');
    await using server = await startScriptedHttp();
    server.demand('Bearer the-key');
    const headers = { Authorization: 'Bearer another' };
    const servers = { wiki: { type: 'http', url: server.url, headers } };
    await using host = await createHost({ servers, files: 'none', approve: allowAll });
    expect(toModelText(await host.call('mcp__wiki__echo', { message: 'hi' }))).toBe(
      'Server "wiki" does not take the key that its entry has. Ask the user to run: plugboard doctor wiki\n' +
        'The call was not made. Do not repeat it before the user has given it another key.',
    );
  });

  it('contains nothing that a shell would interpret, whatever the server is called', () => {
    const called = (server: string): CallOutcome => ({
      ...{ kind: 'needs-auth', server, tool: 't', url: 'https://a.example' },
      reason: { kind: 'sign-in-needed', issuer: 'https://b.example' },
    });
    expect(toModelText(called("x'; rm -rf ~ #"))).toContain(
      String.raw`plugboard login 'x'\''; rm -rf ~ #'`,
    );
    expect(toModelText(called('-x'))).toContain("plugboard login '-x'");
  });

  it('is in the descriptions of its known tools, which stay listed', async () => {
    verifies('AUT-05');
    await using scope = new Scope();
    const at = await stage(scope);
    const first = await at.user.run(notes(at));
    await first.login('notes', inBrowser(followingBrowser()));
    const known = await first.tools();
    at.issuer.revokeEverything();
    await echo(first, 'notes');
    await first.close();
    const before = at.reached();

    const second = await at.user.run(notes(at));
    const told = await second.tools();
    const words =
      '[Server "notes" needs the user to sign in. Ask the user to run: plugboard login notes]';
    expect(known.tools.length).toBeGreaterThan(1);
    expect(told.tools).toEqual(
      known.tools.map((tool) => ({
        ...tool,
        description: `${words} ${tool.description}`.trim(),
        needsSignIn: true,
      })),
    );
    expect(told.problems).toEqual([]);
    expect(at.reached()).toBe(before);

    await second.login('notes', inBrowser(followingBrowser()));
    expect((await second.tools()).tools).toEqual(known.tools);
  });
});

describe('processes of one user', () => {
  it('share refusals and sign-ins', async () => {
    verifies('AUT-05');
    await using scope = new Scope();
    const issuer = scope.use(await startAuthorizationServer());
    const server = scope.use(await startProtectedServer({ issuer }));
    const user = await oneUser(scope);
    const entries = { notes: { type: 'http', protocol: 'legacy', url: server.url } };
    const first = await started(scope, user.home, entries);
    const refused = await first.call('notes');
    expect(refused).toMatchObject({ kind: 'needs-auth' });
    expect(refused).not.toHaveProperty('since');

    const before = server.requests.length;
    const second = await started(scope, user.home, entries);
    for (const program of [first, second]) {
      expect(await program.call('notes')).toMatchObject({
        kind: 'needs-auth',
        since: expect.any(Number),
      });
    }
    expect(server.requests.length).toBe(before);

    const here = await user.run({ notes: { url: server.url } });
    expect((await here.login('notes', inBrowser(followingBrowser()))).kind).toBe('signed-in');
    for (const program of [first, second]) {
      expect(await program.call('notes')).toMatchObject({ kind: 'result' });
    }
  });
});

interface Program {
  call(server: string): Promise<unknown>;
}

/** A program in a separate process, which ends with the scope. */
async function started(scope: Scope, home: string, entries: object): Promise<Program> {
  const script = fileURLToPath(new URL('./fixtures/call-on-demand.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, home, JSON.stringify(entries)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  scope.use({
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('"ready"');
  return {
    async call(name) {
      child.stdin.write(`${name}\n`);
      return JSON.parse(String((await lines.next()).value)) as unknown;
    },
  };
}

async function refusalsOf({ home }: OneUser) {
  const folder = join(home, 'state/auth/refusals');
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, text: await readFile(path, 'utf8') };
    }),
  );
}
