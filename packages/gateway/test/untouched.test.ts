import { Scope } from '@plugboard/base';
import type { HostOptions } from '@plugboard/host';
import type { Era } from '@plugboard/host/relay';
import { startScriptedHttp, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, openGateway, serverOf } from './cells.ts';

type ProgramServers = NonNullable<HostOptions['servers']>;

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const NUMBERS = String.raw`"big":12345678901234567890,"one":1.0,"tiny":1e-400,"escaped":"\u0041\/"`;
const BODY = `"content":[{"type":"text","text":"\\u00e9"}],"structuredContent":{${NUMBERS}}`;
const TEXTS = { legacy: `{${BODY}}`, modern: `{"resultType":"complete",${BODY}}` } as const;
const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** The text of the response to one call, by a raw client. */
async function callBy(era: 'legacy' | 'modern', url: string): Promise<string> {
  const post = async (message: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const call = { id: 7, method: 'tools/call', params: { name: 'one__raw', arguments: {} } };
  if (era === 'modern') {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const modern = { ...call, params: { ...call.params, _meta } };
    const headers = {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'one__raw',
    };
    return (await post(modern, headers)).text();
  }
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const hello = await post({ id: 1, method: 'initialize', params });
  const session = { 'Mcp-Session-Id': hello.headers.get('mcp-session-id') ?? '' };
  await hello.text();
  await post({ method: 'notifications/initialized' }, session);
  return (await post(call, session)).text();
}

/** The transports between gateway and server. */
const WAYS = ['stdio', 'json', 'sse'] as const;
const ways = cells.flatMap((cell) => WAYS.map((way) => ({ ...cell, way })));

async function serverBy(way: (typeof WAYS)[number], era: Era): Promise<ProgramServers[string]> {
  const tools = [{ name: 'raw', resultText: TEXTS[era] }];
  if (way === 'stdio') return serverOf(era, { builtIns: [], tools });
  const script = { eras: [era], builtIns: [], tools, http: { answerWith: way } };
  const { url } = scope.use(await startScriptedHttp(script));
  return { type: 'http', url };
}

describe.each(ways)('a gateway between a $name over $way', (cell) => {
  const { client: clientEra, server: serverEra, way } = cell;

  it('passes a result on byte by byte within one era, and its values between eras', async () => {
    verifies('GWY-01');
    const resultText = TEXTS[serverEra];
    const { url } = await openGateway(scope, { servers: { one: await serverBy(way, serverEra) } });
    const answer = await callBy(clientEra, url);
    if (clientEra === serverEra) {
      expect(answer).toBe(`{"jsonrpc":"2.0","id":7,"result":${resultText}}`);
      return;
    }
    const own = clientEra === 'legacy' ? {} : { resultType: 'complete' };
    const { resultType: _, ...result } = JSON.parse(resultText) as Record<string, unknown>;
    expect(JSON.parse(answer)).toEqual({ jsonrpc: '2.0', id: 7, result: { ...own, ...result } });
  });
});
