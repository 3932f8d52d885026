// One server over the API of the console: details, runs and actions.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import {
  scriptedServer,
  startAuthorizationServer,
  startProtectedServer,
  startScriptedSse,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  AnsweredView,
  CallDetail,
  ConsoleEvent,
  DoctorReport,
  RunOutcome,
  ServerDetail,
} from '../../src/console-api.ts';
import { send } from '../attacks/raw-http.ts';
import { bearer, MARKED, openConsole, openFeed, stateOf, stepsIn } from './console-of.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const PICTURE = `iVBORw0KGgo+eyJ${'A'.repeat(40)}`;
const TOKEN = `ghp_${'a'.repeat(36)}`;

interface Api {
  readonly get: <T>(path: string) => Promise<T>;
  readonly post: (path: string, body: object) => Promise<{ status: number; body: unknown }>;
}

function apiOf(at: string, token: string): Api {
  return {
    async get<T>(path: string) {
      const answer = await send(`${at}/api/${path}`, { method: 'GET', headers: bearer(token) });
      return JSON.parse(answer.text) as T;
    },
    async post(path, body) {
      const headers = { ...MARKED, ...bearer(token) };
      const { status, text } = await send(`${at}/api/${path}`, {
        headers,
        body: JSON.stringify(body),
      });
      return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    },
  };
}

describe('a run at the console', () => {
  verifies('CON-UI');

  const tools = [
    {
      name: 'paint',
      result: {
        content: [
          { type: 'text', text: `key ${TOKEN}` },
          { type: 'image', data: PICTURE, mimeType: 'image/png' },
        ],
      },
    },
  ];

  it('returns the result, and is recorded like every call', async () => {
    const server = scriptedServer({ tools, builtIns: ['echo'] });
    const { at, secret } = await openConsole(scope, { host: { servers: { one: server } } });
    const { get, post } = apiOf(at, secret);
    const ran = await post('run', { kind: 'tool', server: 'one', tool: 'paint', arguments: {} });
    const first = ran.body as RunOutcome;
    expect(first).toMatchObject({ state: 'ok' });
    expect(first.result?.['content']).toEqual([
      { type: 'text', text: 'key (hidden)' },
      { type: 'image', data: PICTURE, mimeType: 'image/png' },
    ]);
    const again = await post('run', {
      ...{ kind: 'tool', server: 'one', tool: 'echo', arguments: { message: 'hi' } },
      replayOf: first.call,
    });
    const { call } = again.body as RunOutcome;
    expect(await get<CallDetail>(`calls/${call}`)).toMatchObject({
      replayOf: first.call,
      clientName: 'console',
      subject: 'echo',
      server: 'one',
      state: 'ok',
    });
  });

  it('is refused without an existing server and something to run', async () => {
    const { at, secret } = await openConsole(scope);
    const { post } = apiOf(at, secret);
    const wanted = { kind: 'tool', server: 'none', tool: 'echo', arguments: {} };
    expect((await post('run', wanted)).status).toBe(404);
    expect((await post('run', { kind: 'tool', server: 'none' })).status).toBe(400);
  });
});

describe('the details of a server', () => {
  verifies('CON-UI');

  it('contain the decision about each tool, and the log of the server for all connections', async () => {
    const server = scriptedServer({ builtIns: ['echo'], chatty: true });
    const { at, secret, url } = await openConsole(scope, {
      host: { servers: { one: server }, permissions: { deny: ['one/echo'] } },
    });
    const { get, post } = apiOf(at, secret);
    const feed = await openFeed(at, bearer(secret));
    scope.defer(() => feed.destroy());
    await post('servers/one', { kind: 'connect' });
    const detail = await get<ServerDetail>('servers/one');
    expect(detail.toolList).toMatchObject([
      { name: 'echo', decision: { kind: 'deny', rule: 'one/echo' } },
    ]);
    expect(detail.log.length).toBeGreaterThan(0);
    const own = detail.log.length;
    // A client's connection is another process of the same server.
    await post('run', { kind: 'resource', server: 'one', uri: 'none://' });
    await waitUntil(async () => (await get<ServerDetail>('servers/one')).log.length > own, {
      describe: 'lines of the other process',
    });
    const told = stepsIn(feed).filter(({ event }) => isLog(event));
    expect(told.length).toBeGreaterThan(own);
    expect(url).toContain('/mcp');
  });
});

describe('the doctor of the console', () => {
  verifies('CON-UI');

  it('names the step that fails, and the command that helps', async () => {
    const servers = {
      gone: { command: 'no-such-program-here' },
      dying: scriptedServer({ exitAtStart: { stderr: 'no database', exit: 3 } }),
      fine: scriptedServer({ builtIns: ['echo'] }),
    };
    const { at, secret } = await openConsole(scope, { host: { servers } });
    const { post } = apiOf(at, secret);
    const examined = async (name: string): Promise<DoctorReport> =>
      (await post(`servers/${name}/doctor`, {})).body as DoctorReport;
    const gone = await examined('gone');
    expect(gone.steps.at(-1)).toMatchObject({ step: 'program', state: 'failed' });
    expect(gone).toMatchObject({ works: false, command: 'plugboard doctor gone' });
    expect(gone.problem).toContain('the command "no-such-program-here" is not installed');
    const dying = await examined('dying');
    expect(dying.steps.at(-1)).toMatchObject({ step: 'answer', state: 'failed' });
    expect(dying.problem).toContain('no database');
    const fine = await examined('fine');
    expect(fine.works).toBe(true);
    expect(fine.steps.map(({ step }) => step)).toEqual([
      ...['configured', 'variables', 'program', 'process', 'answer', 'era', 'tools'],
    ]);
  });
});

describe('an action of an administrator on a server', () => {
  verifies('CON-UI');

  async function withFiles() {
    const top = scope.use(await tempFolder()).path;
    const home = join(top, 'project');
    await mkdir(home);
    const { command, args } = scriptedServer({ builtIns: ['echo'] });
    const project = { mcpServers: { ours: { command, args, env: { API_KEY: 'abc' } } } };
    await writeFile(join(home, '.mcp.json'), JSON.stringify(project));
    // Approvals are stored outside the project.
    const opened = await openConsole(scope, { home: top, host: { files: 'discover', cwd: home } });
    return { ...opened, home, ...apiOf(opened.at, opened.secret) };
  }

  async function until(get: Api['get'], name: string, state: string): Promise<void> {
    const read = async (): Promise<string> => (await get<ServerDetail>(`servers/${name}`)).state;
    await waitUntil(async () => (await read()) === state, { describe: `${name} to be ${state}` });
  }

  it('approves a server that came with a folder only as it was shown', async () => {
    const { get, post, home } = await withFiles();
    const { trust, state } = await get<ServerDetail>('servers/ours');
    expect(state).toBe('untrusted');
    expect(trust?.fields).toContainEqual({ name: 'env.API_KEY', value: '(hidden)' });
    const shown = { kind: 'trust', digest: trust?.digest };
    const file = join(home, '.mcp.json');
    const before = await readFile(file, 'utf8');
    await writeFile(file, before.replace('"API_KEY"', '"NODE_OPTIONS"'));
    expect((await post('servers/ours', shown)).status).toBe(409);
    await writeFile(file, before);
    expect((await post('servers/ours', shown)).status).toBe(204);
    await until(get, 'ours', 'idle');
    expect((await post('servers/ours', { kind: 'connect' })).status).toBe(204);
    await until(get, 'ours', 'ready');
    expect((await post('servers/ours', { kind: 'disable' })).status).toBe(204);
    await until(get, 'ours', 'disabled');
    expect((await post('servers/ours', { kind: 'enable' })).status).toBe(204);
    await until(get, 'ours', 'idle');
  });

  it('disables and enables the server of an editor', async () => {
    await using editor = await startScriptedSse({ builtIns: [] });
    const home = scope.use(await tempFolder());
    const cwd = join(home.path, 'project');
    await mkdir(cwd);
    const lock = { pid: process.pid, workspaceFolders: [cwd], authToken: TOKEN };
    await home.write(`.claude/ide/${new URL(editor.url).port}.lock`, JSON.stringify(lock));
    const host = { files: 'discover', ide: 'discover', cwd } as const;
    const { at, secret } = await openConsole(scope, { home: home.path, host });
    const { get, post } = apiOf(at, secret);
    expect(await post('servers/ide', { kind: 'disable' })).toEqual({ status: 204 });
    await until(get, 'ide', 'disabled');
    expect(await post('servers/ide', { kind: 'enable' })).toEqual({ status: 204 });
    await until(get, 'ide', 'idle');
  });

  it('is refused for everyone else', async () => {
    const tokens = new Map([['token-of-bob-kahn', 'bob']]);
    const { at, secret } = await openConsole(scope, {
      host: { servers: { one: scriptedServer({ chatty: true }) } },
      address: { tokens },
    });
    const { post, get } = apiOf(at, 'token-of-bob-kahn');
    const feed = await openFeed(at, bearer('token-of-bob-kahn'));
    scope.defer(() => feed.destroy());
    const paths = ['servers/one', 'servers/one/doctor', 'rules', 'rules/preview', 'definitions'];
    for (const path of paths) {
      expect((await post(path, { kind: 'restart' })).status).toBe(403);
    }
    expect((await get<ServerDetail>('servers/one')).state).toBe('idle');
    // They may use the server, but not read its log, which may be about the calls of others.
    const wanted = { kind: 'tool', server: 'one', tool: 'echo', arguments: { message: 'hi' } };
    await post('run', wanted);
    await apiOf(at, secret).post('servers/one', { kind: 'connect' });
    expect((await apiOf(at, secret).get<ServerDetail>('servers/one')).log).not.toEqual([]);
    expect((await get<ServerDetail>('servers/one')).log).toEqual([]);
    expect(stepsIn(feed).filter(({ event }) => isLog(event))).toEqual([]);
  });

  it('signs in at a page that waits for the person', async () => {
    await using issuer = await startAuthorizationServer();
    await using guarded = await startProtectedServer({ issuer });
    const { at, secret } = await openConsole(scope, {
      host: { servers: { guarded: { type: 'http', url: guarded.url } } },
      address: { tokens: new Map([['token-of-bob-kahn', 'bob']]) },
    });
    const { post, get } = apiOf(at, secret);
    const feed = await openFeed(at, bearer(secret));
    scope.defer(() => feed.destroy());
    const signingIn = post('servers/guarded', { kind: 'sign-in' });
    await waitUntil(async () => (await stateOf(at, bearer(secret))).waiting.length === 1, {
      describe: 'the page to sign in at',
    });
    const [page] = (await stateOf(at, bearer(secret))).waiting;
    if (page?.kind !== 'page') throw new Error('no page waits');
    expect(page).toMatchObject({ server: 'guarded', client: 'console' });
    await fetch(page.url ?? '', { redirect: 'follow' });
    expect((await signingIn).status).toBe(204);
    expect((await stateOf(at, bearer(secret))).waiting).toEqual([]);
    const [answered] = await get<readonly AnsweredView[]>('answered');
    expect(answered).toMatchObject({ answer: 'accept', by: 'administrator' });
    const detail = await get<ServerDetail>('servers/guarded');
    expect([detail.state, detail.signedIn?.issuer]).toEqual(['ready', issuer.issuer]);
    // Others see neither the account nor a sign-out.
    const bob = apiOf(at, 'token-of-bob-kahn');
    expect((await bob.get<ServerDetail>('servers/guarded')).signedIn).toBeUndefined();
    expect((await bob.post('servers/guarded', { kind: 'sign-out' })).status).toBe(403);
    expect((await post('servers/guarded', { kind: 'sign-out' })).status).toBe(204);
    const after = await get<ServerDetail>('servers/guarded');
    expect([after.state, after.signedIn]).toEqual(['needs-auth', undefined]);
  });
});

function isLog({ kind }: ConsoleEvent): boolean {
  return kind === 'log';
}
