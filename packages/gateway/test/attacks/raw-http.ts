// Sends requests that no correct client would send: the test controls every header and byte.

import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** Sends one request on a new connection. */
export function send(
  url: string,
  { method = 'POST', headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers: headers as never }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Writes bytes, and returns the response until the gateway closes the connection. */
export function sendBytes(url: string, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    // A gateway that does not read everything may reset the connection.
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

export const JSON_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

const MODERN = '2026-07-28';

/** The members of `_meta` that every modern request has. */
function modernMeta(capabilities: object = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  };
}

export interface ModernCall {
  readonly method?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly capabilities?: object;
  readonly id?: string | number;
}

/** A valid modern request, with overridden headers. An empty header is omitted. */
export function modernRequest(call: ModernCall): RawRequest {
  const { method = 'tools/call', params, headers = {}, capabilities, id = 1 } = call;
  const named = params['name'] ?? params['uri'];
  const all = {
    ...JSON_HEADERS,
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method,
    ...(typeof named === 'string' ? { 'Mcp-Name': named } : {}),
    ...headers,
  };
  const _meta = { ...modernMeta(capabilities), ...(params['_meta'] as object | undefined) };
  const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
  return {
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    body: JSON.stringify(message),
  };
}

/** A minimal legacy client. */
export class RawSession {
  readonly url: string;
  readonly id: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, id: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = url;
    this.id = id;
    this.#headers = headers;
  }

  static async begin(
    url: string,
    {
      headers = {},
      capabilities = {},
    }: { headers?: Record<string, string>; capabilities?: object } = {},
  ): Promise<RawSession> {
    const answer = await initialize(url, headers, capabilities);
    const id = answer.headers['mcp-session-id'];
    if (typeof id !== 'string') throw new Error(`no session: ${answer.status} ${answer.text}`);
    return new RawSession(url, id, headers);
  }

  get headers(): Record<string, string> {
    return { ...JSON_HEADERS, ...this.#headers, 'Mcp-Session-Id': this.id };
  }

  post(message: object): Promise<RawAnswer> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return send(this.url, { headers: this.headers, body });
  }
}

export function initialize(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  capabilities: object = {},
): Promise<RawAnswer> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'raw', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  return send(url, { headers: { ...JSON_HEADERS, ...headers }, body });
}

/** The JSON of a response, or of the last event of a stream. */
export function answerIn({ headers, text }: RawAnswer): Record<string, unknown> {
  if (headers['content-type'] !== 'text/event-stream') {
    return JSON.parse(text) as Record<string, unknown>;
  }
  return eventsIn(text).at(-1) ?? {};
}

function eventsIn(text: string): readonly Record<string, unknown>[] {
  return [...text.matchAll(/^data: (.+)\n\n/gm)].map(
    ([, data = '']) => JSON.parse(data) as Record<string, unknown>,
  );
}

export interface RawStream {
  readonly status: number;
  /** The messages so far. */
  readonly events: () => readonly Record<string, unknown>[];
  readonly text: () => string;
  readonly isEnded: () => boolean;
  /** Stops reading; further data stays in the socket. */
  pause(): void;
  resume(): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** A request whose response is read as a stream. */
export function openStream(
  url: string,
  { method = 'POST', headers = {}, body }: RawRequest,
): Promise<RawStream> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers: headers as never }, (response) => {
      let text = '';
      let isEnded = false;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', () => {});
      response.on('close', () => {
        isEnded = true;
      });
      resolve({
        status: response.statusCode ?? 0,
        events: () => eventsIn(text),
        text: () => text,
        isEnded: () => isEnded,
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        destroy: () => void sent.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
