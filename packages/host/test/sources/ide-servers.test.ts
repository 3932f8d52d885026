import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { never, Scope } from '@plugboard/base';
import {
  startScriptedHttp,
  startScriptedSse,
  startScriptedWs,
  type TempFolder,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { createHost } from '../../src/index.ts';
import { fitOf, readClaudeLock, readGeminiFile } from '../../src/sources/ide-lock.ts';
import { ideServers, loadConfig } from '../../src/sources/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

/** Larger than any real process id. */
const DEAD_PID = 2 ** 30;
const TOKEN = '550e8400-e29b-41d4';

interface Lock {
  readonly pid?: number;
  readonly workspaceFolders?: readonly string[];
  readonly transport?: string;
  readonly authToken?: string;
}

class Desk {
  readonly #folder: TempFolder;

  constructor(folder: TempFolder) {
    this.#folder = folder;
  }

  get environment() {
    const env = { TMPDIR: join(this.#folder.path, 'tmp') };
    return testEnvironment(this.#folder.path, { env });
  }

  get cwd(): string {
    return this.environment.cwd;
  }

  claude(port: number | string, lock: Lock | string = {}): Promise<unknown> {
    const whole = {
      pid: process.pid,
      workspaceFolders: [this.cwd],
      ideName: 'Editor',
      transport: 'ws',
      authToken: TOKEN,
    };
    const text = typeof lock === 'string' ? lock : JSON.stringify({ ...whole, ...lock });
    return this.#folder.write(`home/.claude/ide/${port}.lock`, text);
  }

  gemini(port: number, pid = process.pid, folders = [this.cwd]): Promise<unknown> {
    const file = { port, workspacePath: folders.join(':'), authToken: TOKEN };
    const name = `tmp/gemini/ide/gemini-ide-server-${pid}-${port}.json`;
    return this.#folder.write(name, JSON.stringify(file));
  }
}

const claudeHeaders = { 'X-Claude-Code-Ide-Authorization': TOKEN };
const ws = (port: number) => ({
  type: 'ws',
  url: `ws://127.0.0.1:${port}`,
  headers: claudeHeaders,
});

describe('the servers of editors', () => {
  it('are found through the lock files of editors', async () => {
    verifies('TRN-07');
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    expect(await ideServers(desk.environment)).toEqual({});
    await desk.claude(4001);
    expect(await ideServers(desk.environment)).toEqual({ ide: ws(4001) });
    await desk.claude(4001, { transport: 'sse' });
    expect(await ideServers(desk.environment)).toEqual({
      ide: { type: 'sse', url: 'http://127.0.0.1:4001/sse', headers: claudeHeaders },
    });
  });

  it('are found for another command too, with its expected header', async () => {
    verifies('TRN-07');
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    await desk.gemini(4002, process.pid, ['/elsewhere', desk.cwd]);
    expect(await ideServers(desk.environment)).toEqual({
      ide: {
        type: 'http',
        url: 'http://127.0.0.1:4002/mcp',
        headers: { Authorization: `Bearer ${TOKEN}` },
      },
    });
  });

  it('are skipped when stale, for other folders, or broken', async () => {
    verifies('TRN-07');
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    await desk.claude(4001, { pid: DEAD_PID });
    await desk.claude(4002, { workspaceFolders: ['/elsewhere', `${desk.cwd}-2`] });
    await desk.claude(4003, { workspaceFolders: [] });
    await desk.claude(4004, '{ "pid": ');
    await desk.claude(4005, '[]');
    await desk.claude(70_000);
    await desk.claude('notes');
    await desk.gemini(4006, DEAD_PID);
    await desk.gemini(4007, process.pid, [join(desk.cwd, 'inside')]);
    expect(await ideServers(desk.environment)).toEqual({});
  });

  it('are not read from links, or from unreadable files', async () => {
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    await folder.write('planted.json', JSON.stringify({ workspaceFolders: [desk.cwd], port: 1 }));
    await desk.claude(4001);
    const ide = join(folder.path, 'home/.claude/ide');
    await symlink(join(folder.path, 'planted.json'), join(ide, '4002.lock'));
    expect(await ideServers(desk.environment)).toEqual({ ide: ws(4001) });
    await chmod(join(ide, '4001.lock'), 0o600);
    expect(await ideServers(desk.environment)).toEqual({ ide: ws(4001) });
  });

  it('are sorted: that of this terminal, then the innermost folder', async () => {
    verifies('TRN-07');
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    await desk.claude(4001, { workspaceFolders: ['/', folder.path] });
    await desk.claude(4002);
    expect(await ideServers(desk.environment)).toEqual({ ide: ws(4002), 'ide-2': ws(4001) });
    const env = { ...desk.environment.env, CLAUDE_CODE_SSE_PORT: '4001' };
    const inTerminal = { ...desk.environment, env };
    expect(await ideServers(inTerminal)).toEqual({ ide: ws(4001), 'ide-2': ws(4002) });
  });

  it('are entries like others, and no message about them contains the token', async () => {
    verifies('TRN-07');
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    await desk.claude(4001, { authToken: 'a${HOME}b' });
    await desk.claude(4002, { authToken: 'line\nbreak', workspaceFolders: ['/'] });
    const { environment } = desk;
    const given = await ideServers(environment);
    const config = await loadConfig({ environment, given, files: 'none' });
    expect(config.diagnostics).toEqual([]);
    const ready = config.servers.map(({ resolved }) => resolved);
    expect(ready).toMatchObject([
      { kind: 'ready', entry: { headers: { 'X-Claude-Code-Ide-Authorization': 'a${HOME}b' } } },
      { kind: 'ready', entry: { headers: {} } },
    ]);
  });
});

describe('a connection to the server of an editor', () => {
  it.each([
    ['ws', startScriptedWs],
    ['sse', startScriptedSse],
    ['http', startScriptedHttp],
  ] as const)('works over %s', async (transport, start) => {
    verifies('TRN-07');
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    await using scope = new Scope();
    const server = scope.use(await start({ eras: ['legacy'] }));
    const port = Number(new URL(server.url).port);
    await (transport === 'http' ? desk.gemini(port) : desk.claude(port, { transport }));
    const { environment } = desk;
    await using host = await createHost({ ide: 'discover', environment, files: 'none' });
    const { tools } = await host.tools({ signal: never });
    expect(tools.map(({ tool }) => tool)).toContain('echo');
  });
});

describe('parsing a lock file of an editor', () => {
  it('accepts a file in which a part is missing', () => {
    expect(readClaudeLock({ name: '5.lock', text: '{}' })).toEqual({
      pid: undefined,
      port: 5,
      folders: [],
      entry: { type: 'sse', url: 'http://127.0.0.1:5/sse', headers: {} },
    });
    const gemini = { name: 'gemini-ide-server-7-5.json', text: '{"port":"5"}' };
    expect(readGeminiFile(gemini, 'linux')).toEqual({
      pid: 7,
      port: 5,
      folders: [],
      entry: { type: 'http', url: 'http://127.0.0.1:5/mcp', headers: {} },
    });
  });

  it.each([
    ['linux', ['/a/b'], '/a/b', 4],
    ['linux', ['/a/b/'], '/a/b/c', 4],
    ['linux', ['/', '/a'], '/a/b', 2],
    ['linux', ['/a/b'], '/a/bc', undefined],
    ['linux', ['/a/b'], '/a', undefined],
    ['linux', ['a'], '/a', undefined],
    ['linux', ['/a'], '/a/..b', 2],
    ['win32', ['C:\\Work'], 'c:\\work\\app', 7],
    ['win32', ['C:\\Work'], 'D:\\Work', undefined],
  ] as const)('decides whose folder it is: %s %j contains %s', (platform, folders, cwd, fit) => {
    expect(fitOf({ folders }, cwd, platform)).toBe(fit);
  });
});

describe('a configuration with the servers of editors', () => {
  verifies('TRN-07', 'CFG-01');

  const load = (desk: Desk, env: Readonly<Record<string, string>> = {}) =>
    loadConfig({
      environment: { ...desk.environment, env: { ...desk.environment.env, ...env } },
      enterprise: [],
      ide: 'discover',
    });

  it('leaves a name to a configured server, and accepts a patch', async () => {
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    await desk.claude(4001);
    await folder.write(
      'home/.config/plugboard/settings.json',
      '{ "mcpServers": { "ide": { "command": "mine" }, "ide-2": { "disabled": true } } }',
    );
    const { servers } = await load(desk);
    expect(servers.map(({ name, scope, written }) => [name, scope, written.disabled])).toEqual([
      ['ide', 'user', false],
      ['ide-2', 'dynamic', true],
    ]);
  });

  it('has none if a setting or a variable turns them off, and watches the lock files otherwise', async () => {
    await using folder = await tempFolder();
    const desk = new Desk(folder);
    await desk.claude(4001);
    const locks = join(folder.path, 'home/.claude/ide/');
    const found = await load(desk);
    expect([found.servers.length, found.watched.includes(locks)]).toEqual([1, true]);
    expect((await load(desk, { PLUGBOARD_EDITORS: 'off' })).servers).toEqual([]);
    await folder.write(
      'home/.config/plugboard/settings.json',
      '{ "discover": { "editors": false } }',
    );
    const off = await load(desk);
    expect([off.servers, off.watched.includes(locks)]).toEqual([[], false]);
  });
});
