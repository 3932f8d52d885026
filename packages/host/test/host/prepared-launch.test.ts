import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, Scope } from '@plugboard/base';
import {
  scriptedServer,
  startScriptedHttp,
  type TempFolder,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { allowAll, createHost, type Host } from '../../src/host/index.ts';
import type { SecretReader } from '../../src/connection/index.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { givenHost } from './given-host.ts';

const ECHO = { server: 's', tool: 'echo' };

/** Prints the current token in the folder, and counts its runs. */
function helperIn({ path }: TempFolder): string {
  return `sh -c 'echo run >> ${path}/runs; printf "{\\"Authorization\\":\\"Bearer %s\\"}" "$(cat ${path}/token)"'`;
}

async function runsIn(folder: TempFolder): Promise<number> {
  const runs = await folder.read('runs').catch(() => '');
  return runs.split('\n').length - 1;
}

function stored(values: Readonly<Record<string, string>>): SecretReader & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get(name) {
      asked.push(name);
      return Promise.resolve(ok(values[name]));
    },
  };
}

function echo(host: Host): ReturnType<Host['call']> {
  return host.call(ECHO, { message: 'hi' });
}

const ERAS = ['legacy', 'modern'] as const;

describe('a server with a headers helper', () => {
  verifies('CFG-15');

  it.each(ERAS)(
    'receives the headers with every request, from one run for each connection (%s)',
    async (era) => {
      await using scope = new Scope();
      const folder = scope.use(await tempFolder());
      await folder.write('token', 'one');
      const server = scope.use(await startScriptedHttp({ eras: [era] }));
      server.demand('Bearer one');
      const host = await givenHost(scope, {
        s: {
          type: 'http',
          url: server.url,
          headers: { authorization: 'old', A: 'a' },
          headersHelper: helperIn(folder),
        },
      });
      expect(await runsIn(folder)).toBe(0);
      expect([await echo(host), await echo(host)]).toMatchObject([
        { kind: 'result' },
        { kind: 'result' },
      ]);
      expect(await runsIn(folder)).toBe(1);
      expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(
        new Set(['Bearer one']),
      );
      expect(server.requests.every(({ headers }) => headers['a'] === 'a')).toBe(true);
    },
  );

  it.each(ERAS)('causes one more run after a 401 while connecting (%s)', async (era) => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const server = scope.use(await startScriptedHttp({ eras: [era] }));
    server.demand('Bearer 2');
    const count = `sh -c 'echo run >> ${folder.path}/runs; printf "{\\"Authorization\\":\\"Bearer %s\\"}" $(wc -l < ${folder.path}/runs)'`;
    const host = await givenHost(scope, {
      s: { type: 'http', url: server.url, headersHelper: count },
    });
    expect(await echo(host)).toMatchObject({ kind: 'result' });
    expect(await runsIn(folder)).toBe(2);
  });

  it.each(ERAS)('that refuses all headers is given up after two runs (%s)', async (era) => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await folder.write('token', 'wrong');
    const server = scope.use(await startScriptedHttp({ eras: [era] }));
    server.demand('Bearer right');
    const host = await givenHost(scope, {
      s: { type: 'http', url: server.url, headersHelper: helperIn(folder) },
    });
    const { problems } = await host.tools();
    expect(problems).toEqual([{ kind: 'needs-auth', server: 's', tool: '', url: server.url }]);
    expect(host.servers[0]?.state).toEqual({ kind: 'needs-auth', url: server.url });
    expect(await runsIn(folder)).toBe(2);
  });

  it.each(ERAS)(
    'continues after a 401 in the middle of a session, and the call is repeated (%s)',
    async (era) => {
      await using scope = new Scope();
      const folder = scope.use(await tempFolder());
      await folder.write('token', 'one');
      const server = scope.use(await startScriptedHttp({ eras: [era] }));
      server.demand('Bearer one');
      const host = await givenHost(scope, {
        s: { type: 'http', url: server.url, headersHelper: helperIn(folder) },
      });
      await echo(host);
      const states: string[] = [];
      using _ = host.on((event) => {
        if (event.kind === 'state') states.push(event.server.state.kind);
      });
      await folder.write('token', 'two');
      server.demand('Bearer two');
      expect(await Promise.all([echo(host), echo(host)])).toMatchObject([
        { kind: 'result' },
        { kind: 'result' },
      ]);
      expect(await runsIn(folder)).toBe(2);
      expect(states).toEqual(['idle', 'connecting', 'ready']);
    },
  );

  it('does not cause endless runs when calls stay forbidden', async () => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await folder.write('token', 'one');
    const http = { status: 401, methods: ['tools/call'] } as const;
    const server = scope.use(await startScriptedHttp({ http }));
    const host = await givenHost(scope, {
      s: { type: 'http', url: server.url, headersHelper: helperIn(folder) },
    });
    expect(await echo(host)).toEqual({ kind: 'needs-auth', ...ECHO, url: server.url });
    expect(await runsIn(folder)).toBe(2);
    const calls = server.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call');
    expect(calls).toHaveLength(2);
  });

  it('causes no other run after a 403', async () => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await folder.write('token', 'one');
    const server = scope.use(await startScriptedHttp({ http: { status: 403 } }));
    const host = await givenHost(scope, {
      s: { type: 'http', url: server.url, headersHelper: helperIn(folder) },
    });
    expect(await echo(host)).toMatchObject({ kind: 'needs-auth' });
    expect(await runsIn(folder)).toBe(1);
  });

  it('is not contacted when the helper fails, with the reason', async () => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp());
    const host = await givenHost(scope, {
      s: {
        type: 'http',
        url: server.url,
        headersHelper: `sh -c 'echo s3cret; echo why >&2; exit 1'`,
      },
      t: { type: 'http', url: server.url, headersHelper: 'a | b' },
    });
    const { problems } = await host.tools();
    expect(problems).toEqual([
      {
        kind: 'not-connected',
        server: 's',
        tool: '',
        reason: {
          kind: 'helper-failed',
          reason: { kind: 'exited', exit: { code: 1, signal: null }, stderr: ['why'] },
        },
      },
      {
        kind: 'not-connected',
        server: 't',
        tool: '',
        reason: {
          kind: 'helper-failed',
          reason: { kind: 'bad-command', problem: { kind: 'needs-shell', character: '|' } },
        },
      },
    ]);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['project/.mcp.json', 'not those that look like credentials', false],
    ['project/.plugboard/settings.local.json', 'not those that look like credentials', false],
    ['home/.config/plugboard/settings.json', 'all of them', true],
    ['project/config/plugboard/settings.json', 'not those that look like credentials', false],
  ])(
    'of %s runs the helper with the variables of the user, and %s',
    async (file, _which, isOwn) => {
      await using scope = new Scope();
      const folder = scope.use(await tempFolder());
      const server = scope.use(await startScriptedHttp());
      const print = `node -p "JSON.stringify({'X-Names':Object.keys(process.env).join()})"`;
      const entry = { type: 'http', url: server.url, headersHelper: print };
      await folder.mkdir('project');
      await folder.write(file, JSON.stringify({ mcpServers: { s: entry } }));
      // The last one is the user's own file in the project.
      const isInside = file.startsWith('project/config/');
      const env = {
        PATH: process.env['PATH'] ?? '',
        MY_TOKEN: 's3cret',
        ...(isInside ? { XDG_CONFIG_HOME: join(folder.path, 'project/config') } : {}),
      };
      const environment = testEnvironment(folder.path, { env });
      const host = scope.use(
        await createHost({ environment, approve: allowAll, trust: 'project' }),
      );
      expect(await echo(host)).toMatchObject({ kind: 'result' });
      const names = String(server.requests[0]?.headers['x-names']).split(',');
      expect([names.includes('PLUGBOARD_SERVER_NAME'), names.includes('MY_TOKEN')]).toEqual([
        true,
        isOwn,
      ]);
    },
  );
});

describe('a server without a headers helper', () => {
  it('is not renewed after a 401 in the middle of a session', async () => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp({ eras: ['legacy'] }));
    server.demand('Bearer one');
    const headers = { Authorization: 'Bearer one' };
    const host = await givenHost(scope, { s: { type: 'http', url: server.url, headers } });
    await echo(host);
    server.demand('Bearer two');
    expect(await echo(host)).toMatchObject({ kind: 'needs-auth' });
    const opened = server.requests.filter(({ rpcMethod }) => rpcMethod === 'initialize');
    expect(opened).toHaveLength(1);
  });
});

describe('a server that needs secrets', () => {
  verifies('CFG-15', 'CFG-05');

  it('receives them in its headers and its address, read again for each connection', async () => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp());
    server.demand('Bearer s3cret');
    const secrets = stored({ TOKEN: 's3cret', PATH: 'mcp' });
    const { origin } = new URL(server.url);
    const host = await givenHost(
      scope,
      {
        s: {
          type: 'http',
          url: `${origin}/\${secret:PATH}`,
          headers: { Authorization: 'Bearer ${secret:TOKEN}' },
        },
      },
      { secrets },
    );
    expect(secrets.asked).toEqual([]);
    expect(await echo(host)).toMatchObject({ kind: 'result' });
    expect(secrets.asked).toEqual(['PATH', 'TOKEN']);
  });

  it('receives them as arguments and variables', async () => {
    await using scope = new Scope();
    const { command, args } = scriptedServer();
    const host = await givenHost(
      scope,
      { s: { command, args: [...args, '${secret:A}'], env: { TOKEN: 'x${secret:A}y' } } },
      { secrets: stored({ A: 's3cret' }) },
    );
    const outcome = await host.call({ server: 's', tool: 'env' }, {});
    expect(JSON.stringify(outcome)).toContain('xs3crety');
  });

  it('receives them read once more after a 401 while connecting', async () => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp());
    server.demand('Bearer new');
    let reads = 0;
    const get: SecretReader['get'] = () => {
      reads += 1;
      return Promise.resolve(ok(reads === 1 ? 'old' : 'new'));
    };
    const host = await givenHost(
      scope,
      { s: { type: 'http', url: server.url, headers: { Authorization: 'Bearer ${secret:T}' } } },
      { secrets: { get } },
    );
    expect(await echo(host)).toMatchObject({ kind: 'result' });
    expect(reads).toBe(2);
  });

  it('is not contacted while one is missing, with its name, its place and what to do', async () => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const server = scope.use(await startScriptedHttp());
    const file = await folder.write(
      'project/.mcp.json',
      `{ "mcpServers": { "s": {\n  "type": "http", "url": "${server.url}",\n  "headers": {\n    "K": "\${secret:A}" } } } }`,
    );
    const environment = testEnvironment(folder.path);
    const host = scope.use(await createHost({ environment, approve: allowAll, trust: 'project' }));
    const { problems } = await host.tools();
    expect(problems).toEqual([
      {
        kind: 'not-connected',
        server: 's',
        tool: '',
        reason: {
          kind: 'unresolved',
          problems: [
            {
              severity: 'error',
              code: 'missing-secret',
              message: '"s" needs the secret A (in "headers.K"), which is not stored.',
              suggestion: 'Store it: plugboard secret set A.',
              file,
              line: 4,
              column: 10,
              server: 's',
            },
          ],
        },
      },
    ]);
    expect(server.requests).toEqual([]);
  });

  it.each<[string, SecretReader['get'], string]>([
    [
      'cannot be read',
      () => Promise.resolve(err({ message: 'locked' })),
      'could not be read: locked',
    ],
    [
      'breaks its store',
      () => Promise.reject(new Error('s3cret')),
      'could not be read: the store failed',
    ],
    ['would break a header', () => Promise.resolve(ok('s3cret\r\nX: y')), 'cannot stand there'],
  ])('is not contacted when one %s', async (_, get, words) => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp());
    const host = await givenHost(
      scope,
      { s: { type: 'http', url: server.url, headers: { K: '${secret:A}' } } },
      { secrets: { get } },
    );
    const { problems } = await host.tools();
    expect(JSON.stringify(problems)).toContain(words);
    expect(JSON.stringify(problems)).not.toContain('s3cret');
    expect(server.requests).toEqual([]);
  });

  it('never exposes them in a failure, a state, the log or the trace', async () => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await folder.mkdir('project');
    const said: unknown[] = [];
    const server = scope.use(await startScriptedHttp({ http: { status: 500 } }));
    const { origin } = new URL(server.url);
    const environment = testEnvironment(folder.path, { env: { PATH: process.env['PATH'] ?? '' } });
    const secret = { A: '${secret:A}' };
    const host = scope.use(
      await createHost({
        environment,
        secrets: stored({ A: 's3cret' }),
        trace: 'bodies',
        logger: { log: (...line) => void said.push(line) },
        servers: {
          address: { type: 'http', url: `${origin}/\${secret:A}/mcp?k=\${secret:A}` },
          gone: { type: 'sse', url: 'http://127.0.0.1:1/${secret:A}' },
          socket: { type: 'ws', url: 'ws://127.0.0.1:1/${secret:A}' },
          command: { command: 'no-such-${secret:A}' },
          folder: { command: 'sh', cwd: '/no/${secret:A}' },
          loud: { command: 'sh', args: ['-c', 'echo "bad $A" >&2; exit 1'], env: secret },
        },
      }),
    );
    host.on((event) => said.push(event));
    const { problems } = await host.tools();
    said.push(
      problems,
      host.servers,
      host.servers.map(({ name }) => host.trace(name)),
    );
    await host.close();
    const files = await readdir(environment.paths.state, { recursive: true, withFileTypes: true });
    const records = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name), 'utf8')),
    );
    expect(
      problems.map((problem) => problem.kind === 'not-connected' && problem.reason.kind),
    ).toEqual(['http', 'command-not-found', 'bad-cwd', 'unreachable', 'exited', 'unreachable']);
    expect(JSON.stringify(said)).toContain('${secret:A}');
    expect(records.join('')).toContain('bad ${secret:A}');
    expect(JSON.stringify([said, records])).not.toContain('s3cret');
  });
});
