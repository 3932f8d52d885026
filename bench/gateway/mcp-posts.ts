// The POSTs of a client of either era, as text.

import type { Address, RawHttp } from './raw-http.ts';

export type Era = 'legacy' | 'modern';

export interface Target extends Address {
  readonly era: Era;
  /** As the tool is called at this address. */
  readonly tool: string;
  readonly token: string | undefined;
}

const CLIENT_INFO = { name: 'bench', version: '1.0.0' };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface Poster {
  /** The body of the answer. */
  request(connection: RawHttp, request: PostedRequest): Promise<string>;
  /** Ends the session, where there is one. */
  readonly leaving: string;
}

export interface PostedRequest {
  readonly id: number;
  readonly method: string;
  readonly params: object;
}

export async function posterFor(target: Target, connection: RawHttp): Promise<Poster> {
  return target.era === 'modern' ? modernPoster(target) : legacyPoster(target, connection);
}

function modernPoster(target: Target): Poster {
  const heads = new Map<string, string>();
  return {
    leaving: '',
    async request(connection, { id, method, params }) {
      const head = heads.get(method) ?? modernHead(target, method);
      heads.set(method, head);
      const meant = { ...params, _meta: META };
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: meant });
      return (await connection.post(head, body)).body;
    },
  };
}

function modernHead(target: Target, method: string): string {
  const name = method === 'tools/call' ? `Mcp-Name: ${target.tool}\r\n` : '';
  return `${headOf(target, 'POST')}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n${name}`;
}

async function legacyPoster(target: Target, connection: RawHttp): Promise<Poster> {
  const begun = await connection.post(
    headOf(target, 'POST'),
    JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT_INFO },
    }),
  );
  const session = /\r\nmcp-session-id: *(\S+)/i.exec(begun.head)?.[1];
  if (session === undefined) throw new Error(`no session: ${begun.head}\n${begun.body}`);
  const inSession = `Mcp-Session-Id: ${session}\r\nMCP-Protocol-Version: 2025-11-25\r\n`;
  const head = `${headOf(target, 'POST')}${inSession}`;
  await connection.post(head, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return {
    leaving: `${headOf(target, 'DELETE')}${inSession}`,
    async request(open, { id, method, params }) {
      return (await open.post(head, JSON.stringify({ jsonrpc: '2.0', id, method, params }))).body;
    },
  };
}

function headOf({ port, path, token }: Target, method: 'POST' | 'DELETE'): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return (
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${authorization}` +
    'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
  );
}
