import { Scope } from '@plugboard/base';
import { startScriptedHttp, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attackedGateway } from './attacked-gateway.ts';
import { answerIn, JSON_HEADERS, modernRequest, send } from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const NAME = 'naïve tool';
const PARAMS = { name: NAME, arguments: {} };
const ENCODED = `=?base64?${Buffer.from(NAME).toString('base64')}?=`;

function base64(text: string | Buffer): string {
  return `=?base64?${Buffer.from(text as string).toString('base64')}?=`;
}

describe('headers of a modern request', () => {
  verifies('GWY-01');

  it.each<[string, Record<string, string>]>([
    ['no version', { 'MCP-Protocol-Version': '' }],
    ['another version than the body', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['no method', { 'Mcp-Method': '' }],
    ['another method', { 'Mcp-Method': 'tools/list' }],
    ['a method in another case', { 'Mcp-Method': 'Tools/Call' }],
    ['no name', { 'Mcp-Name': '' }],
    ['another name', { 'Mcp-Name': 'other' }],
    ['the name in another case', { 'Mcp-Name': base64(NAME.toUpperCase()) }],
    ['another name in Base64', { 'Mcp-Name': base64('other') }],
    [
      'Base64 with a character that is none',
      { 'Mcp-Name': ENCODED.replace('?base64?', '?base64?!') },
    ],
    ['Base64 without its padding', { 'Mcp-Name': ENCODED.replace('=?=', '?=') }],
    ['Base64 with too much at its end', { 'Mcp-Name': ENCODED.replace('?=', '====?=') }],
    ['Base64 of no text', { 'Mcp-Name': base64(Buffer.from([0xff, 0xfe])) }],
    ['a frame in another case', { 'Mcp-Name': ENCODED.replace('base64', 'BASE64') }],
  ])('that have %s are refused, and nothing reaches the server', async (_, headers) => {
    const { url, called } = await openOne();
    const answer = await send(
      url,
      modernRequest({ params: PARAMS, headers: { 'Mcp-Name': ENCODED, ...headers } }),
    );
    expect([answer.status, answerIn(answer)]).toMatchObject([400, { error: { code: -32_020 } }]);
    expect(called()).toBe(0);
  });

  it('are refused if one is sent twice', async () => {
    const { url, called } = await openOne();
    for (const name of ['Mcp-Name', 'Mcp-Method', 'MCP-Protocol-Version']) {
      const asked = modernRequest({ params: { ...PARAMS, name: 'plain' } });
      const value = asked.headers?.[name] as string;
      const answer = await send(url, {
        ...asked,
        headers: { ...asked.headers, [name]: [value, value] },
      });
      expect([name, answer.status]).toEqual([name, 400]);
    }
    expect(called()).toBe(0);
  });

  it('are accepted if they match the body', async () => {
    const { url, called } = await openOne();
    const answer = await send(
      url,
      modernRequest({ params: PARAMS, headers: { 'Mcp-Name': ENCODED } }),
    );
    expect([answer.status, answerIn(answer)]).toMatchObject([200, { result: {} }]);
    expect(called()).toBe(1);
  });

  it.each([
    [
      'an unknown version',
      { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
      { 'MCP-Protocol-Version': '2099-01-01' },
      400,
      -32_022,
    ],
    [
      'no capabilities',
      { _meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } },
      {},
      400,
      -32_602,
    ],
    [
      'capabilities that are a list',
      { _meta: { 'io.modelcontextprotocol/clientCapabilities': [] } },
      {},
      400,
      -32_602,
    ],
  ])('and %s are refused as such', async (_, meta, headers, status, code) => {
    const { url, called } = await openOne();
    const params = { ...PARAMS, ...meta };
    const answer = await send(
      url,
      modernRequest({ params, headers: { 'Mcp-Name': ENCODED, ...headers } }),
    );
    expect([answer.status, answerIn(answer)]).toMatchObject([status, { error: { code } }]);
    expect(called()).toBe(0);
  });

  it('with a body without "_meta" are refused for what the body lacks', async () => {
    const { url } = await openOne();
    const headers = {
      ...JSON_HEADERS,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/list',
    };
    for (const params of [undefined, {}, { _meta: {} }, { _meta: [] }]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
      const answer = await send(url, { headers, body });
      expect([answer.status, answerIn(answer)]).toMatchObject([400, { error: { code: -32_602 } }]);
    }
  });

  it('with an unknown method are answered with 404', async () => {
    const { url } = await attackedGateway(scope);
    for (const method of [
      'no/such',
      'initialize',
      'ping',
      'logging/setLevel',
      'resources/subscribe',
    ]) {
      const answer = await send(url, modernRequest({ method, params: {} }));
      expect([method, answer.status, answerIn(answer)]).toMatchObject([
        method,
        404,
        { error: { code: -32_601 } },
      ]);
    }
  });
});

/** A gateway at the endpoint of its only server. */
async function openOne(): Promise<{ readonly url: string; readonly called: () => number }> {
  const server = scope.use(
    await startScriptedHttp({
      eras: ['modern'],
      tools: [
        { name: NAME, result: { content: [] } },
        { name: 'plain', result: { content: [] } },
      ],
    }),
  );
  const { url } = await attackedGateway(scope, {
    host: { servers: { one: { type: 'http', url: server.url } } },
  });
  return {
    url: `${url}/one`,
    called: () => server.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call').length,
  };
}
