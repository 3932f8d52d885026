import { isObject, type JsonObject, Scope } from '@plugboard/base';
import { type HttpScript, type ScriptedHttpServer, startScriptedHttp } from '@plugboard/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { attackedGateway } from './attacks/attacked-gateway.ts';
import { modernRequest, type RawRequest, send } from './attacks/raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

interface Behind {
  readonly server: ScriptedHttpServer;
  /** The reply of the gateway at the server's endpoint. */
  readonly ask: (request: RawRequest) => Promise<{ status: number; message: JsonObject }>;
}

async function behindGateway(script: HttpScript = {}): Promise<Behind> {
  const server = scope.use(await startScriptedHttp({ ...script, eras: ['modern'] }));
  const servers = { one: { type: 'http' as const, url: server.url } };
  const { url } = await attackedGateway(scope, { host: { servers } });
  return {
    server,
    ask: async (request) => {
      const { status, text } = await send(`${url}/one`, request);
      return { status, message: JSON.parse(text) as JsonObject };
    },
  };
}

function resultOf({ message }: { readonly message: JsonObject }): JsonObject {
  const { result } = message;
  expect(isObject(result)).toBe(true);
  return result as JsonObject;
}

it('passes on the error of an HTTP server with its own status', async () => {
  const { ask } = await behindGateway();
  const { status, message } = await ask(modernRequest({ method: 'no/such', params: {} }));
  expect(status).toBe(404);
  expect(message).toMatchObject({ error: { code: -32_601 } });
});

const ROUTED = {
  name: 'route',
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  },
};

it('sends an HTTP server the arguments that its schema requires as headers', async () => {
  const { server, ask } = await behindGateway({ tools: [ROUTED] });
  const params = { name: 'route', arguments: { region: 'Zürich' } };
  const encoded = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`;
  const headers = { 'Mcp-Param-Region': encoded };
  resultOf(await ask(modernRequest({ params, headers })));
  const calls = server.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call');
  expect(calls.map((call) => call.headers['mcp-param-region'])).toEqual([encoded]);
});

it('passes responses to a server whose questions had no state', async () => {
  const { ask } = await behindGateway({ asks: true });
  const question = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
  const answer = { action: 'accept', content: { name: 'Ada' } };
  const params = { name: 'ask', arguments: { questions: [question] } };
  const capabilities = { elicitation: {} };
  const inputResponses = { q0: answer };
  const answered = await ask(
    modernRequest({ params: { ...params, inputResponses }, capabilities }),
  );
  expect(resultOf(answered)).toMatchObject({
    resultType: 'complete',
    content: [{ type: 'text', text: JSON.stringify([answer]) }],
  });
});

it('reports that a body lacks its version, not that a header differs', async () => {
  const { ask } = await behindGateway();
  const { headers = {} } = modernRequest({ method: 'tools/list', params: {} });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const { status, message } = await ask({ headers, body });
  expect(status).toBe(400);
  expect(message).toMatchObject({ error: { code: -32_602 } });
});

it('names the same versions in an error as in its discovery', async () => {
  const { ask } = await behindGateway();
  const greeting = resultOf(await ask(modernRequest({ method: 'server/discover', params: {} })));
  const _meta = { 'io.modelcontextprotocol/protocolVersion': 'v999' };
  const headers = { 'MCP-Protocol-Version': 'v999' };
  const { message } = await ask(
    modernRequest({ method: 'tools/list', params: { _meta }, headers }),
  );
  const data = { supported: greeting['supportedVersions'], requested: 'v999' };
  expect(message).toMatchObject({ error: { code: -32_022, data } });
});

it.each([
  ['is missing', { region: 'Hello' }, {}],
  ['says something else', { region: 'Hello' }, { 'Mcp-Param-Region': 'Bye' }],
  ['repeats no argument', {}, { 'Mcp-Param-Region': 'Hello' }],
  ['is no Base64', { region: 'Hello' }, { 'Mcp-Param-Region': '=?base64?SGVs!!!bG8=?=' }],
  ['is Base64 without its end', { region: 'Hello' }, { 'Mcp-Param-Region': '=?base64?SGVsbG8?=' }],
])('refuses a call when the header of an argument %s', async (_, given, headers) => {
  const { server, ask } = await behindGateway({ tools: [ROUTED] });
  const params = { name: 'route', arguments: given };
  const { status, message } = await ask(modernRequest({ params, headers }));
  expect(status).toBe(400);
  expect(message).toMatchObject({ error: { code: -32_020 } });
  expect(server.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call')).toEqual([]);
});
