import { type JsonObject, never, Scope } from '@plugboard/base';
import { scriptedServer, startScriptedHttp, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/protocol/index.ts';
import { type BareReply, type BareRequest, startBareHttp } from './bare-http-server.ts';
import { openOrThrow, stdioLaunch } from './cells.ts';

const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };
const listing = { signal: never, timeoutMs: 60_000 };

const inputSchema: JsonObject = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
};
const wrongSchema: JsonObject = {
  type: 'object',
  properties: { region: { type: 'number', 'x-mcp-header': 'Region' } },
};
const tools = [
  { name: 'find', inputSchema },
  { name: 'wrong', inputSchema: wrongSchema },
];
const arguments_ = { region: '世界', query: 'all' };

/** The headers with a prefix in the requests for a method. */
function headersOf(
  requests: readonly Pick<BareRequest, 'headers'>[],
  prefix: string,
): readonly JsonObject[] {
  return requests.map(({ headers }) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name, String(value)]] : [],
      ),
    ),
  );
}

describe('arguments as headers', () => {
  it('are sent with a call over Streamable HTTP in the modern era', async () => {
    verifies('TRN-02');
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp({ eras: ['modern'], tools }));
    const launch = { kind: 'http', url: server.url, headers: {}, era: 'auto' } as const;
    const session = await openOrThrow(launch, scope);
    const called = await session.callTool(
      { name: 'find', arguments: arguments_, inputSchema },
      patient,
    );
    expect(called.ok).toBe(true);
    const calls = server.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call');
    expect(headersOf(calls, 'mcp-')).toEqual([
      {
        'mcp-method': 'tools/call',
        'mcp-name': 'find',
        'mcp-protocol-version': '2026-07-28',
        'mcp-param-region': '=?base64?5LiW55WM?=',
      },
    ]);
  });

  it('are not sent in the legacy era', async () => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp({ eras: ['legacy'], tools }));
    const launch = { kind: 'http', url: server.url, headers: {}, era: 'auto' } as const;
    const session = await openOrThrow(launch, scope);
    await session.callTool({ name: 'find', arguments: arguments_, inputSchema }, patient);
    const calls = server.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call');
    expect(headersOf(calls, 'mcp-param-')).toEqual([{}]);
  });

  it('that are declared incorrectly exclude their tool, but only over Streamable HTTP', async () => {
    await using scope = new Scope();
    const reason = 'declares the header "Region" for the type "number"';
    const offered = async (eras: ['legacy'] | ['modern'], transport: 'http' | 'stdio') => {
      const script = { eras, tools, builtIns: [] };
      const session = await openOrThrow(
        transport === 'stdio'
          ? stdioLaunch(scriptedServer(script), eras[0])
          : {
              kind: 'http',
              url: scope.use(await startScriptedHttp(script)).url,
              headers: {},
              era: 'auto',
            },
        scope,
      );
      const page = await session.listTools(undefined, listing);
      return page.ok
        ? { tools: page.value.items.map(({ name }) => name), rejected: page.value.rejected }
        : page.error;
    };
    expect(await offered(['modern'], 'http')).toEqual({
      tools: ['find'],
      rejected: [{ name: 'wrong', reason }],
    });
    const whole = { tools: ['find', 'wrong'], rejected: [] };
    expect(await offered(['legacy'], 'http')).toEqual(whole);
    expect(await offered(['modern'], 'stdio')).toEqual(whole);
  });
});

describe('a call whose headers the server rejects', () => {
  const OLD: JsonObject = { type: 'object', properties: { region: { type: 'string' } } };
  const mismatch: BareReply = { kind: 'error', code: -32_020 };

  /** Requires a header that its first list did not declare. */
  const moved =
    (listed: JsonObject, accepts: (request: BareRequest) => boolean) =>
    (request: BareRequest): BareReply | undefined => {
      if (request.method === 'tools/list') {
        const cache = { ttlMs: 0, cacheScope: 'private', resultType: 'complete' };
        const second = request.params['cursor'] === 'second';
        const list = second ? [{ name: 'find', inputSchema: listed }] : [];
        const next = second ? {} : { nextCursor: 'second' };
        return { kind: 'result', result: { ...cache, ...next, tools: list } };
      }
      if (request.method !== 'tools/call') return undefined;
      if (!accepts(request)) return mismatch;
      return { kind: 'result', result: { resultType: 'complete', content: [] } };
    };

  it('is repeated once, with the headers that the new list declares', async () => {
    await using scope = new Scope();
    const accepts = ({ headers }: BareRequest): boolean => headers['mcp-param-region'] === 'eu';
    const server = await startBareHttp('modern', moved(inputSchema, accepts), scope);
    const session = await openOrThrow(server.launch, scope);
    const changed: string[] = [];
    using _watch = session.watchLists((list) => changed.push(list));
    const called = await session.callTool(
      { name: 'find', arguments: { region: 'eu' }, inputSchema: OLD },
      patient,
    );
    expect(called).toEqual({ ok: true, value: { content: [], isError: false } });
    expect(changed).toEqual(['tools']);
    const calls = server.requests.filter(({ method }) => method === 'tools/call');
    expect(headersOf(calls, 'mcp-param-')).toEqual([{}, { 'mcp-param-region': 'eu' }]);
  });

  it.each([
    { name: 'the list asks for what was sent', listed: inputSchema, calls: 1 },
    { name: 'the server refuses the new headers as well', listed: OLD, calls: 2 },
  ])('fails when $name', async ({ listed, calls }) => {
    await using scope = new Scope();
    const server = await startBareHttp(
      'modern',
      moved(listed, () => false),
      scope,
    );
    const session = await openOrThrow(server.launch, scope);
    const called = await session.callTool(
      { name: 'find', arguments: { region: 'eu' }, inputSchema },
      patient,
    );
    expect(called).toMatchObject({ ok: false, error: { kind: 'rpc', code: -32_020 } });
    expect(server.requests.filter(({ method }) => method === 'tools/call')).toHaveLength(calls);
  });
});

describe('a modern server', () => {
  it('that refuses the first offered version is used with a version that it supports', async () => {
    await using scope = new Scope();
    let refusals = 0;
    const server = await startBareHttp(
      'modern',
      () => {
        refusals += 1;
        if (refusals > 1) return undefined;
        return {
          kind: 'error',
          code: -32_022,
          data: { supported: ['2026-07-28'], requested: '2026-07-28' },
        };
      },
      scope,
    );
    const session = await openOrThrow(server.launch, scope);
    expect([session.era, session.protocolVersion]).toEqual(['modern', '2026-07-28']);
    expect(server.requests.map(({ method }) => method)).toEqual([
      'server/discover',
      'server/discover',
    ]);
  });

  it('that omits the type of a result is assumed to have sent a complete one', async () => {
    await using scope = new Scope();
    const content = [{ type: 'text', text: 'all of it' }];
    const server = await startBareHttp(
      'modern',
      ({ method }) =>
        method === 'tools/call' ? { kind: 'result', result: { content } } : undefined,
      scope,
    );
    const session = await openOrThrow(server.launch, scope);
    expect(await session.callTool({ name: 'any', arguments: {} }, patient)).toEqual({
      ok: true,
      value: { content, isError: false },
    });
  });
});
