import type { JsonObject } from '@plugboard/base';
import { Scope } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { startBareHttp } from '../protocol/bare-http-server.ts';
import { givenHost } from './given-host.ts';

describe.each(['legacy', 'modern'] as const)("a tool's schema in the %s era", (era) => {
  it('is offered as the server wrote it, and no address in it is ever fetched', async () => {
    await using scope = new Scope();
    const inputSchema: Record<string, unknown> = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { id: { $anchor: 'id', type: 'string', pattern: '^[a-z]+$' } },
      properties: { id: { $ref: '#/$defs/id' } },
      required: ['id'],
      allOf: [{ anyOf: [{ required: ['id'] }, true] }],
      if: { properties: { id: { const: 'a' } } },
      else: false,
      additionalProperties: { 'x-unknown': [1, null, { a: 'b' }] },
    };
    const server = await startBareHttp(
      era,
      ({ method, path }) => {
        if (path !== '/mcp') return { kind: 'result', result: { type: 'string' } };
        const cache = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
        const tools = [{ name: 'look', inputSchema: inputSchema as JsonObject }];
        if (method === 'tools/list') return { kind: 'result', result: { ...cache, tools } };
        if (method !== 'tools/call') return undefined;
        return { kind: 'result', result: { resultType: 'complete', content: [] } };
      },
      scope,
    );
    const canary = new URL('/canary.json', server.url).href;
    inputSchema['properties'] = { id: { $ref: '#/$defs/id' }, profile: { $ref: canary } };

    const host = await givenHost(scope, { s: { type: 'http', url: server.url } });
    const { tools } = await host.tools();
    expect(tools.map((tool) => tool.inputSchema)).toEqual([inputSchema]);
    const called = await host.call({ server: 's', tool: 'look' }, { id: 'a', profile: 'b' });
    expect(called.kind).toBe('result');
    expect(server.requests.filter(({ path }) => path !== '/mcp')).toEqual([]);
  });
});
