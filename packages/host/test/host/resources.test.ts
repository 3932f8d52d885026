import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Emitter, Scope, silentLogger, systemClock } from '@plugboard/base';
import {
  type Library,
  scriptedServer,
  startScriptedHttp,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DEADLINES } from '../../src/connection/index.ts';
import { Primitives } from '../../src/host/primitives.ts';
import type { HostEvent } from '../../src/index.ts';
import { startBareHttp } from '../protocol/bare-http-server.ts';
import { givenHost } from './given-host.ts';

const memo = (uri: string, text?: string) => ({
  uri,
  name: uri,
  ...(text === undefined ? {} : { text }),
});

const http = (url: string, protocol: 'modern' | 'legacy' = 'modern') => ({
  type: 'http',
  url,
  protocol,
});

describe('the resources of all servers', () => {
  verifies('CAT-06');

  it('are listed with their server, beside the failures of others', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {
      a: scriptedServer({ eras: ['legacy'], library: { resources: [memo('memo://a')] } }),
      b: scriptedServer({
        library: {
          resources: [memo('memo://b')],
          templates: [
            { uriTemplate: 'memo://b/{id}', name: 'One of b', description: 'd'.repeat(3000) },
          ],
        },
      }),
      bare: scriptedServer({ builtIns: ['echo'] }),
      gone: { command: '/no/such/program' },
    });
    const { resources, problems } = await host.resources.list();
    expect(resources.map(({ server, uri }) => [server, uri])).toEqual([
      ['a', 'memo://a'],
      ['b', 'memo://b'],
    ]);
    expect(problems).toMatchObject([
      { server: 'gone', kind: 'not-connected', reason: { kind: 'command-not-found' } },
    ]);
    const { templates } = await host.resources.templates({ servers: ['b'] });
    expect(
      templates.map(({ uriTemplate, description, fullDescription }) => [
        uriTemplate,
        description.length,
        fullDescription?.length,
      ]),
    ).toEqual([['memo://b/{id}', 2048, 3000]]);
  });

  it('are each read through their own server, and through no other', async () => {
    await using scope = new Scope();
    const library: Library = { resources: [memo('memo://same', 'x')] };
    const [a, b] = await Promise.all([
      startScriptedHttp({ library: { resources: [memo('memo://same', 'of a')] } }),
      startScriptedHttp({ library }),
    ]);
    scope.use(a);
    scope.use(b);
    const host = await givenHost(scope, { a: http(a.url), b: http(b.url) });
    expect(await host.resources.read({ server: 'a', uri: 'memo://same' })).toEqual({
      kind: 'result',
      server: 'a',
      uri: 'memo://same',
      parts: [
        {
          kind: 'resource',
          uri: 'memo://same',
          mimeType: undefined,
          body: { kind: 'text', text: 'of a' },
        },
      ],
    });
    expect(b.requests).toEqual([]);
  });

  it('are found by their address only if one server has them', async () => {
    await using scope = new Scope();
    const everything = { uriTemplate: '{+all}', name: 'Takes all' };
    const host = await givenHost(scope, {
      a: scriptedServer({ library: { resources: [memo('memo://a'), memo('memo://both')] } }),
      b: scriptedServer({ library: { resources: [memo('memo://both')] } }),
      greedy: scriptedServer({ library: { templates: [everything] } }),
      other: scriptedServer({
        library: { templates: [{ ...everything, uriTemplate: 'x://{id}' }] },
      }),
    });
    const locate = (uri: string) => host.resources.locate(uri);
    // A server that lists it takes precedence over one whose template matches.
    expect(await locate('memo://a')).toEqual({ kind: 'found', server: 'a' });
    expect(await locate('memo://both')).toEqual({
      kind: 'several',
      asked: 'memo://both',
      servers: ['a', 'b'],
    });
    expect(await locate('y://1')).toEqual({ kind: 'found', server: 'greedy' });
    expect(await locate('x://1')).toMatchObject({ servers: ['greedy', 'other'] });
    const known = { servers: ['a', 'b'] };
    expect(await host.resources.locate('memo://bth', known)).toMatchObject({
      kind: 'none',
      nearest: 'memo://both',
    });
  });

  it('are reported as not found by their server, and an unknown server is reported', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {
      a: scriptedServer({ eras: ['legacy'], library: {} }),
      bare: scriptedServer({ builtIns: ['echo'] }),
    });
    const read = (server: string) => host.resources.read({ server, uri: 'memo://x' });
    expect(await Promise.all(['a', 'bare', 'nobody'].map(read))).toEqual([
      {
        kind: 'not-found',
        server: 'a',
        uri: 'memo://x',
        message: 'Resource not found: "memo://x"',
      },
      { kind: 'unsupported', server: 'bare', feature: 'resources' },
      { kind: 'unknown-server', server: 'nobody' },
    ]);
  });

  it('that may not be read are not requested', async () => {
    const asked: string[] = [];
    const decision = { kind: 'deny', because: { kind: 'default', case: 'no-rule' } } as const;
    const primitives = new Primitives({
      clock: systemClock,
      logger: silentLogger,
      servers: {
        names: ['a'],
        usable: ['a'],
        get: () => undefined,
        connect: (server) => {
          asked.push(server);
          return Promise.resolve({ ok: false, error: { kind: 'idle' } });
        },
        deadlinesOf: () => DEFAULT_DEADLINES,
      },
      permission: {
        permitRead: (resource) =>
          Promise.resolve(
            resource.uri.startsWith('memo://')
              ? undefined
              : { kind: 'denied', ...resource, reason: 'no rule', decision },
          ),
      },
      output: { fitContent: () => Promise.resolve([]) },
      events: new Emitter(() => {}),
    });
    const secret = { server: 'a', uri: 'secret://x' };
    const denied = { kind: 'denied', ...secret, reason: 'no rule', decision };
    expect(await primitives.resources.read(secret)).toEqual(denied);
    expect(await primitives.resources.subscribe(secret, () => {})).toEqual(denied);
    expect(asked).toEqual([]);
    await primitives.resources.read({ server: 'a', uri: 'memo://x' });
    expect(asked).toEqual(['a']);
  });

  it('that a server links to are never fetched by the host', async () => {
    await using scope = new Scope();
    let visits = 0;
    const trap = createServer((_request, response) => {
      visits += 1;
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    scope.defer(() => new Promise<void>((resolve) => void trap.close(() => resolve())));
    const { port } = trap.address() as AddressInfo;
    const uris = ['file:///etc/passwd', `http://127.0.0.1:${port}/latest/meta-data`];
    const links = uris.map((uri) => ({ type: 'resource_link', uri, name: 'x' }));
    const server = scope.use(
      await startScriptedHttp({
        tools: [{ name: 'link', result: { content: links } }],
        library: { resources: uris.map((uri) => memo(uri)) },
      }),
    );
    const host = await givenHost(scope, { a: http(server.url) });
    const called = await host.call({ server: 'a', tool: 'link' }, {});
    expect(called).toMatchObject({
      kind: 'result',
      parts: uris.map((uri) => ({ kind: 'link', uri })),
    });
    await host.resources.list();
    const readings = await Promise.all(
      uris.map((uri) => host.resources.read({ server: 'a', uri })),
    );
    // The content is what the server sends, whatever the address says.
    expect(readings).toMatchObject([
      { parts: [{ body: { text: expect.stringMatching(/^read \d$/) } }] },
      { parts: [{ body: { text: expect.stringMatching(/^read \d$/) } }] },
    ]);
    expect(visits).toBe(0);
  });

  it('are reported as changed for each server that says so', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, {
      a: scriptedServer({ library: { listChanged: true } }),
      b: {
        ...scriptedServer({ eras: ['modern'], library: { listChanged: true } }),
        protocol: 'modern',
      },
    });
    const heard: HostEvent[] = [];
    using _listening = host.on((event) => {
      if (event.kind === 'list-changed') heard.push(event);
    });
    await host.resources.list();
    for (const [server, list] of [
      ['a', 'resources'],
      ['b', 'prompts'],
    ] as const) {
      await waitUntil(
        async () => {
          await host.call({ server, tool: 'announce' }, { list });
          return heard.some((event) => 'server' in event && event.server === server);
        },
        { describe: `word of a change of ${server}` },
      );
    }
    expect(heard.slice(0, 1)).toEqual([{ kind: 'list-changed', server: 'a', list: 'resources' }]);
    expect(heard.at(-1)).toEqual({ kind: 'list-changed', server: 'b', list: 'prompts' });
  });
});

describe('a hostile list of resources', () => {
  verifies('CAT-03');

  it.each(['legacy', 'modern'] as const)('of a million is cut, %s', async (era) => {
    await using scope = new Scope();
    const page = Array.from({ length: 100_000 }, (_, index) => ({ uri: `m:${index}`, name: 'n' }));
    const server = await startBareHttp(
      era,
      ({ method, params }) =>
        method === 'resources/list'
          ? {
              kind: 'result',
              result: {
                ...COMPLETE,
                resources: page,
                nextCursor: `${Number(params['cursor'] ?? 0) + 1}`,
              },
            }
          : opening(era, method),
      scope,
    );
    const host = await givenHost(scope, { a: http(server.url, era) });
    const { resources, cut } = await host.resources.list();
    expect([resources.length, cut]).toEqual([10_000, [{ server: 'a', reason: 'too-many-items' }]]);
    expect(server.requests.filter(({ method }) => method === 'resources/list')).toHaveLength(1);
  });

  it('whose pages repeat ends', async () => {
    await using scope = new Scope();
    const server = await startBareHttp(
      'legacy',
      ({ method }) =>
        method === 'resources/list'
          ? {
              kind: 'result',
              result: { resources: [{ uri: 'm:1', name: 'n' }], nextCursor: 'again' },
            }
          : opening('legacy', method),
      scope,
    );
    const host = await givenHost(scope, { a: http(server.url, 'legacy') });
    const { resources, cut } = await host.resources.list();
    expect([resources.length, cut]).toEqual([1, [{ server: 'a', reason: 'repeated-cursor' }]]);
  });

  it('with a content of 50 MB fails by its size, and the server continues', async () => {
    await using scope = new Scope();
    const server = await startBareHttp(
      'legacy',
      ({ method, params }) =>
        method === 'resources/read'
          ? {
              kind: 'result',
              result: {
                contents: [
                  {
                    uri: 'm:1',
                    blob: 'A'.repeat(params['uri'] === 'm:big' ? 50 * 1024 * 1024 : 4),
                  },
                ],
              },
            }
          : opening('legacy', method),
      scope,
    );
    const host = await givenHost(scope, { a: http(server.url, 'legacy') });
    expect(await host.resources.read({ server: 'a', uri: 'm:big' })).toMatchObject({
      kind: 'protocol-error',
      failure: { kind: 'too-large' },
    });
    expect(await host.resources.read({ server: 'a', uri: 'm:1' })).toMatchObject({
      kind: 'result',
    });
  });
});

const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** A server with resources and no tools. */
function opening(era: 'legacy' | 'modern', method: string | undefined) {
  const capabilities = { resources: {} };
  if (method === 'server/discover' && era === 'modern') {
    const result = { ...COMPLETE, supportedVersions: ['2026-07-28'], capabilities };
    return { kind: 'result', result } as const;
  }
  if (method !== 'initialize' || era === 'modern') return undefined;
  const serverInfo = { name: 'bare', version: '1' };
  const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
  return { kind: 'result', result } as const;
}
