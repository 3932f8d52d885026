import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, ok, Scope } from '@plugboard/base';
import {
  ManualClock,
  startScriptedHttp,
  type TempFolder,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/admission/index.ts';
import {
  allowAll,
  createHost,
  type Host,
  type HostEvent,
  type HostOptions,
} from '../../src/host/index.ts';
import { testEnvironment } from '../config/test-environment.ts';
import {
  json,
  type ListServer,
  type Serve,
  startListServer,
  status,
} from '../connectors/list-server.ts';

const USER_FILE = 'home/.config/plugboard/settings.json';
const TOKEN = 'tops3cret';
const FRESH_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

interface Setting {
  readonly scope: Scope;
  readonly folder: TempFolder;
  readonly connector: ListServer;
  /** Sets the answer of the connector. */
  readonly answer: (serve: Serve) => void;
  readonly said: unknown[];
  readonly options: HostOptions;
  readonly open: (options?: HostOptions) => Promise<Host>;
}

/** A connector, named "acme" in the user's settings, and a function that creates a host. */
async function setting(
  scope: Scope,
  first: Serve,
  entry: object = { headers: { Authorization: `Bearer ${TOKEN}` } },
): Promise<Setting> {
  let serve = first;
  const folder = scope.use(await tempFolder());
  await folder.mkdir('project/.git');
  const connector = await startListServer(scope, (...request) => serve(...request));
  await folder.write(
    USER_FILE,
    JSON.stringify({ connectors: { acme: { url: connector.url, ...entry } } }),
  );
  const said: unknown[] = [];
  const logger: Logger = { log: (...line) => void said.push(line) };
  const env = { PATH: process.env['PATH'] ?? '' };
  const environment = testEnvironment(folder.path, { env });
  const options = { environment, logger, approve: allowAll };
  return {
    scope,
    folder,
    connector,
    answer: (next) => void (serve = next),
    said,
    options,
    open: async (more = {}) => {
      const host = scope.use(await createHost({ ...options, ...more }));
      host.on((event) => said.push(event));
      return host;
    },
  };
}

const serversOf = (host: Host) => host.servers.map(({ name, scope }) => [name, scope]);
const listing = (...names: readonly string[]) =>
  json({ servers: names.map((name) => ({ name, url: `http://127.0.0.1:1/${name}` })) });

describe('a host with a connector', () => {
  verifies('CFG-09', 'CFG-01');

  it('calls it at the first start, and not again while the list is new', async () => {
    await using scope = new Scope();
    const { open, connector, options } = await setting(scope, listing('wiki', 'mail'));
    const host = await open();
    expect(serversOf(host)).toEqual([
      ['connector:acme:mail', 'connector'],
      ['connector:acme:wiki', 'connector'],
    ]);
    expect(serversOf(await open())).toEqual(serversOf(host));
    expect(connector.asked.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${TOKEN}`,
    ]);
    // Reading the files alone sends no request.
    const { environment } = options;
    const read = environment && (await readConfiguration({ environment }));
    expect(read?.servers.map(({ name }) => name)).toEqual(host.servers.map(({ name }) => name));
    expect(connector.asked).toHaveLength(1);
  });

  it('calls the listed servers, and does not send them the token of the connector', async () => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp());
    const list = json({ servers: [{ name: 'echo', url: server.url, headers: { 'X-A': 'a' } }] });
    const { open, folder, said } = await setting(scope, list);
    const host = await open();
    const outcome = await host.call(
      { server: 'connector:acme:echo', tool: 'echo' },
      { message: 'hi' },
    );
    expect(outcome).toMatchObject({ kind: 'result' });
    expect(server.requests.every(({ headers }) => headers['x-a'] === 'a')).toBe(true);
    said.push(host.servers, host.diagnostics, outcome, host.trace('connector:acme:echo'));
    await host.close();
    expect(JSON.stringify([server.requests, said])).not.toContain(TOKEN);
    // On disk it is only where the user wrote it.
    const files = await filesWith(folder.path, TOKEN);
    expect(files).toEqual([USER_FILE]);
  });

  it('continues with the stored list when the connector fails, and reports that', async () => {
    await using scope = new Scope();
    const { open, answer, connector, folder } = await setting(scope, listing('wiki'));
    const clock = new ManualClock();
    const first = await open({ clock });
    await first.close();
    answer(status(500));
    await clock.advance(DAY_MS);
    const host = await open({ clock });
    expect(serversOf(host)).toEqual([['connector:acme:wiki', 'connector']]);
    expect(host.diagnostics).toEqual([
      {
        severity: 'error',
        code: 'connector-failed',
        message:
          'The connector "acme" refuses to answer (HTTP 500). What it listed on 2026-01-01 still counts.',
        suggestion: 'Try again later, and look whether the address is right.',
        file: join(folder.path, USER_FILE),
        line: 1,
        column: 16,
      },
    ]);
    await host.close();
    // The background does not repeat a recent request.
    expect(connector.asked).toHaveLength(2);
  });

  it('starts without its servers when it was never reachable, and reports why', async () => {
    await using scope = new Scope();
    const { open, connector } = await setting(scope, status(403));
    const host = await open();
    expect(serversOf(host)).toEqual([]);
    expect(host.diagnostics).toMatchObject([
      { code: 'connector-failed', message: 'The connector "acme" refuses to answer (HTTP 403).' },
    ]);
    await host.close();
    expect(connector.asked).toHaveLength(1);
  });

  it.each([
    ['servers that the user wrote', 'hand'],
    ['none of its servers twice', 'connector:acme:first'],
  ])('uses %s instead of the same server from it', async (_, kept) => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp());
    const { host: at } = new URL(server.url);
    const list = json({
      servers: [
        { name: 'first', url: server.url },
        { name: 'second', url: `HTTP://${at}/mcp#x` },
      ],
    });
    const { options, connector, folder, open } = await setting(scope, list);
    const mcpServers = kept === 'hand' ? { hand: { type: 'http', url: server.url } } : {};
    const connectors = { acme: { url: connector.url } };
    await folder.write(USER_FILE, JSON.stringify({ connectors, mcpServers }));
    const host = await open();
    expect(host.servers.map(({ name }) => name)).toEqual([kept]);
    const { environment } = options;
    const read = environment && (await readConfiguration({ environment }));
    const suppressed = read?.servers.filter(({ name }) => name !== kept);
    expect(suppressed?.map(({ admission }) => admission)).toEqual(
      suppressed?.map(() => ({ kind: 'suppressed', by: kept })),
    );
  });

  it('lets the user change what it lists, but not define it', async () => {
    await using scope = new Scope();
    const { folder, open, connector } = await setting(scope, listing('wiki', 'mail'));
    const connectors = { acme: { url: connector.url } };
    const mcpServers = {
      'connector:acme:wiki': { disabled: true },
      'connector:acme:mail': { url: 'https://elsewhere.example' },
    };
    await folder.write(USER_FILE, JSON.stringify({ connectors, mcpServers }));
    const host = await open();
    expect(host.servers.map(({ name, state }) => [name, state.kind])).toEqual([
      ['connector:acme:wiki', 'disabled'],
    ]);
    expect(host.diagnostics).toMatchObject([{ code: 'bad-name', server: 'connector:acme:mail' }]);
  });
});

describe('a connector that answers 401', () => {
  verifies('CFG-15');

  const accepting =
    (authorization: string): Serve =>
    (request, response, count) =>
      request.headers.authorization === authorization
        ? listing('wiki')(request, response, count)
        : response.writeHead(401).end();

  it('is called once more with the secret as stored by then', async () => {
    await using scope = new Scope();
    const entry = { headers: { Authorization: 'Bearer ${secret:ACME}' } };
    const { open, connector } = await setting(scope, accepting('Bearer new'), entry);
    let reads = 0;
    const secrets = {
      get: () => {
        reads += 1;
        return Promise.resolve(ok(reads === 1 ? 'old' : 'new'));
      },
    };
    const host = await open({ secrets });
    expect(serversOf(host)).toEqual([['connector:acme:wiki', 'connector']]);
    expect(connector.asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer new',
    ]);
  });

  it('is called once more with what its command prints then', async () => {
    await using scope = new Scope();
    const runs = join(scope.use(await tempFolder()).path, 'runs');
    const headersHelper = `sh -c 'echo run >> ${runs}; printf "{\\"Authorization\\":\\"%s\\"}" $(wc -l < ${runs})'`;
    const { open, connector } = await setting(scope, accepting('2'), { headersHelper });
    expect(serversOf(await open())).toEqual([['connector:acme:wiki', 'connector']]);
    expect(connector.asked.map(({ headers }) => headers.authorization)).toEqual(['1', '2']);
  });

  it('is given up after two requests', async () => {
    await using scope = new Scope();
    const { open, connector, said } = await setting(scope, status(401));
    const host = await open();
    expect(host.diagnostics).toMatchObject([
      {
        code: 'connector-failed',
        message: 'The connector "acme" does not accept the credentials (401), fresh ones neither.',
      },
    ]);
    said.push(host.diagnostics);
    await host.close();
    expect(connector.asked).toHaveLength(2);
    expect(JSON.stringify(said)).not.toContain(TOKEN);
  });

  it('is not called while its secret is not stored', async () => {
    await using scope = new Scope();
    const entry = { headers: { Authorization: 'Bearer ${secret:ACME}' } };
    const { open, connector } = await setting(scope, listing('wiki'), entry);
    const host = await open();
    expect(host.diagnostics).toMatchObject([
      {
        code: 'connector-failed',
        message: expect.stringContaining('needs the secret ACME (in "headers.Authorization")'),
      },
    ]);
    expect(connector.asked).toEqual([]);
  });
});

describe('a long-running host with connectors', () => {
  verifies('CFG-12');

  const configurations = (said: readonly unknown[]) =>
    (said as readonly HostEvent[]).filter(({ kind }) => kind === 'configuration');

  it('calls a connector again when its list is old, and follows it', async () => {
    await using scope = new Scope();
    const { open, answer, said, connector } = await setting(scope, listing('wiki', 'mail'));
    const clock = new ManualClock();
    const host = await open({ clock });
    answer(listing('wiki', 'chat'));
    await clock.advance(FRESH_MS - 1);
    expect(connector.asked).toHaveLength(1);
    await clock.advance(1);
    await waitUntil(() => connector.asked.length === 2, { describe: 'the connector to be asked' });
    await untilOnClock(clock, () => configurations(said).length > 0);
    expect(configurations(said)).toEqual([
      {
        kind: 'configuration',
        added: ['connector:acme:chat'],
        removed: ['connector:acme:mail'],
        changed: [],
        diagnostics: [],
      },
    ]);
    expect(host.servers.map(({ name }) => name)).toEqual([
      'connector:acme:chat',
      'connector:acme:wiki',
    ]);
  });

  it('reports a failure of the connector while it lasts, and no longer', async () => {
    await using scope = new Scope();
    const { open, answer } = await setting(scope, listing('wiki'));
    const clock = new ManualClock();
    const host = await open({ clock });
    expect(host.diagnostics).toEqual([]);
    answer(status(503));
    await clock.advance(FRESH_MS);
    await waitUntil(() => host.diagnostics.length > 0, { describe: 'the failure to be told' });
    expect(serversOf(host)).toEqual([['connector:acme:wiki', 'connector']]);
    answer(listing('wiki'));
    await untilOnClock(clock, () => host.diagnostics.length === 0, FRESH_MS);
  });

  it('calls a connector that is added, and drops the servers of one that is removed', async () => {
    await using scope = new Scope();
    const { open, folder, connector } = await setting(scope, listing('wiki'));
    const host = await open();
    const other = await startListServer(scope, listing('chat'));
    const added = { acme: { url: connector.url }, beta: { url: other.url } };
    await folder.write(USER_FILE, JSON.stringify({ connectors: added }));
    await waitUntil(() => host.servers.length === 2, { describe: 'its server to be known' });
    expect(serversOf(host)).toEqual([
      ['connector:acme:wiki', 'connector'],
      ['connector:beta:chat', 'connector'],
    ]);
    expect(connector.asked).toHaveLength(1);
    await folder.write(USER_FILE, JSON.stringify({ connectors: { beta: { url: other.url } } }));
    await waitUntil(() => host.servers.length === 1, { describe: 'the other to be forgotten' });
    expect(serversOf(host)).toEqual([['connector:beta:chat', 'connector']]);
  });

  it('follows a list that another process stored', async () => {
    await using scope = new Scope();
    const { open, answer } = await setting(scope, listing('wiki'));
    const host = await open();
    const clock = new ManualClock(Date.now() + DAY_MS);
    answer(listing('chat'));
    await open({ clock });
    await waitUntil(() => host.servers[0]?.name === 'connector:acme:chat', {
      describe: 'the new list to be followed',
    });
  });

  it('gives up a silent connector when it is closed', async () => {
    await using scope = new Scope();
    const { open, answer, connector } = await setting(scope, listing('wiki'));
    const clock = new ManualClock();
    const host = await open({ clock });
    answer(() => undefined);
    await clock.advance(FRESH_MS);
    await waitUntil(() => connector.asked.length === 2, { describe: 'the connector to be asked' });
    await host.close();
    expect(clock.pending).toBe(0);
  });
});

/** Advances the clock in steps, since the work in between takes real time. */
async function untilOnClock(
  clock: ManualClock,
  isReached: () => boolean,
  step = 200,
): Promise<void> {
  await waitUntil(
    async () => {
      await clock.advance(step);
      return isReached();
    },
    { describe: 'it to happen' },
  );
}

/** The relative paths of the files below a folder that contain a text. */
async function filesWith(root: string, text: string): Promise<readonly string[]> {
  const items = await readdir(root, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    items
      .filter((item) => item.isFile())
      .map(async (item) => {
        const path = join(item.parentPath, item.name);
        return (await readFile(path)).includes(text) ? [path.slice(root.length + 1)] : [];
      }),
  );
  return found.flat();
}
