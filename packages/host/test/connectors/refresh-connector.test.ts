import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { err, never, Scope } from '@plugboard/base';
import { ManualClock, tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readConnectorCache, refreshConnector } from '../../src/connectors/index.ts';
import { testEnvironment } from '../config/test-environment.ts';
import { json, type Serve, settingsFor, startListServer, status } from './list-server.ts';

const DAY = Date.UTC(2026, 0, 2);

const wiki = (host: string) => ({ name: 'wiki', url: `https://${host}/mcp` });
const listed = (host: string, at = DAY) => ({
  connector: 'acme',
  at,
  servers: [
    { name: 'connector:acme:wiki', listedAs: 'wiki', entry: { url: `https://${host}/mcp` } },
  ],
  diagnostics: [],
});

/** A connector that answers with `serve`, and an empty cache. */
async function connectorIn(scope: Scope, first: Serve) {
  let serve = first;
  const folder = scope.use(await tempFolder());
  const { url } = await startListServer(scope, (...request) => serve(...request));
  const environment = testEnvironment(folder.path);
  const settings = settingsFor(url);
  const clock = new ManualClock(DAY);
  return {
    settings,
    environment,
    clock,
    cache: join(environment.paths.cache, 'connectors'),
    answer: (next: Serve) => void (serve = next),
    refresh: () => refreshConnector(settings, { environment, clock, signal: never }),
    read: () => readConnectorCache(settings, environment),
  };
}

describe('the stored list of a connector', () => {
  it('is its last answer, with the date, readable by the owner only', async () => {
    await using scope = new Scope();
    const at = await connectorIn(scope, json({ servers: [wiki('one.example.com')] }));
    expect(await at.read()).toBeUndefined();
    expect(await at.refresh()).toEqual({ kind: 'refreshed', list: listed('one.example.com') });
    expect(await at.read()).toEqual(listed('one.example.com'));

    await at.clock.advance(60_000);
    at.answer(json({ servers: [wiki('two.example.com')] }));
    await at.refresh();
    expect(await at.read()).toEqual(listed('two.example.com', DAY + 60_000));
    const [file = '', ...others] = await readdir(at.cache);
    expect(others).toEqual([]);
    expect(file).toMatch(/^[0-9a-f]{40}\.json$/);
    expect((await stat(join(at.cache, file))).mode & 0o777).toBe(0o600);
  });

  it('is kept when the connector fails, with a message', async () => {
    await using scope = new Scope();
    const at = await connectorIn(scope, json({ servers: [wiki('one.example.com')] }));
    await at.refresh();
    at.answer(status(503));
    expect(await at.refresh()).toEqual({
      kind: 'failed',
      problem: { kind: 'refused', status: 503 },
      diagnostic: {
        severity: 'error',
        code: 'connector-failed',
        message:
          'The connector "acme" refuses to answer (HTTP 503). What it listed on 2026-01-02 still counts.',
        suggestion: 'Try again later, and look whether the address is right.',
        file: '/home/u/settings.json',
        line: 3,
        column: 5,
      },
      stored: listed('one.example.com'),
    });
    at.answer(json({ hello: 'world' }));
    expect(await at.refresh()).toMatchObject({
      kind: 'failed',
      problem: { kind: 'wrong-shape' },
      stored: listed('one.example.com'),
    });
    expect(await at.read()).toEqual(listed('one.example.com'));
  });

  it('becomes empty when the connector lists nothing', async () => {
    await using scope = new Scope();
    const at = await connectorIn(scope, json({ servers: [wiki('one.example.com')] }));
    await at.refresh();
    at.answer(json({ servers: [] }));
    await at.refresh();
    expect((await at.read())?.servers).toEqual([]);
  });

  it('belongs to one name and one address', async () => {
    await using scope = new Scope();
    const at = await connectorIn(scope, json({ servers: [wiki('one.example.com')] }));
    await at.refresh();
    const { settings, environment } = at;
    expect(await readConnectorCache({ ...settings, name: 'other' }, environment)).toBeUndefined();
    const elsewhere = { ...settings, url: 'https://evil.example.com/' };
    expect(await readConnectorCache(elsewhere, environment)).toBeUndefined();
  });

  it.each([
    '',
    'null',
    '{"at":1}',
    '{"at":"1","answer":{"servers":[]}}',
    '{"at":1e300,"answer":{"servers":[]}}',
    `{"at":1,"answer":${'['.repeat(100)}${']'.repeat(100)}}`,
  ])('is ignored when it is broken: %j', async (text) => {
    await using scope = new Scope();
    const at = await connectorIn(scope, json({ servers: [] }));
    await at.refresh();
    const [file = ''] = await readdir(at.cache);
    await writeFile(join(at.cache, file), text);
    expect(await at.read()).toBeUndefined();
    at.answer(status(500));
    expect(await at.refresh()).toMatchObject({ kind: 'failed', stored: undefined });
  });

  it('is checked like an answer from the network', async () => {
    await using scope = new Scope();
    const at = await connectorIn(scope, json({ servers: [] }));
    await at.refresh();
    const [file = ''] = await readdir(at.cache);
    const answer = { servers: [{ name: 'evil', command: 'sh' }, wiki('one.example.com')] };
    await writeFile(join(at.cache, file), JSON.stringify({ at: DAY, answer }));
    const { servers, diagnostics } = (await at.read())!;
    expect(servers).toEqual(listed('one.example.com').servers);
    expect(diagnostics.map(({ code }) => code)).toEqual(['bad-value']);
  });

  it('need not be writable for a new answer to count', async () => {
    await using scope = new Scope();
    const at = await connectorIn(scope, json({ servers: [wiki('one.example.com')] }));
    // A file where the folder should be.
    const folder = scope.use(await tempFolder());
    const cache = await folder.write('cache', 'a file');
    const logged: string[] = [];
    const refreshed = await refreshConnector(at.settings, {
      environment: { ...at.environment, paths: { ...at.environment.paths, cache } },
      clock: at.clock,
      signal: never,
      logger: { log: (level, message) => void logged.push(`${level}: ${message}`) },
    });
    expect(refreshed).toEqual({ kind: 'refreshed', list: listed('one.example.com') });
    expect(logged).toEqual(['warn: could not keep what a connector lists']);
  });
});

describe('credentials that a connector refuses twice', () => {
  it.each([
    [
      {},
      'Sign in there again, and put the new token where "headers" of "connectors.acme" takes it from.',
    ],
    [
      { headersHelper: 'print-headers' },
      'Sign in again: run the "headersHelper" of "connectors.acme" by hand and see what it asks for.',
    ],
  ])('lead to an explanation of how to sign in: %j', async (changes, suggestion) => {
    await using scope = new Scope();
    const { settings, environment, clock } = await connectorIn(scope, status(401));
    const changed = { ...settings, ...changes };
    const refreshed = await refreshConnector(changed, { environment, clock, signal: never });
    expect(refreshed).toMatchObject({
      kind: 'failed',
      diagnostic: {
        message: 'The connector "acme" does not accept the credentials (401), fresh ones neither.',
        suggestion,
      },
    });
    expect(JSON.stringify(refreshed)).not.toContain('Bearer');
  });

  it('are distinguished from headers that could not be made', async () => {
    await using scope = new Scope();
    const { settings, environment, clock } = await connectorIn(scope, status(401));
    const refreshed = await refreshConnector(settings, {
      environment,
      clock,
      signal: never,
      headersOf: () => Promise.resolve(err('there is no secret "acme"')),
    });
    expect(refreshed).toMatchObject({
      diagnostic: {
        message:
          'The connector "acme" was not asked, since its headers could not be made: there is no secret "acme".',
      },
    });
  });
});

describe('reading a stored list', () => {
  it('loads no code that connects to servers', async () => {
    const program = fileURLToPath(new URL('fixtures/loaded-files.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const loaded = stdout.trim().split('\n');
    expect(loaded.some((file) => file.includes('/connectors/connector-store.js'))).toBe(true);
    expect(loaded.filter((file) => /\/protocol\/|undici|modelcontextprotocol/.test(file))).toEqual(
      [],
    );
  });
});
