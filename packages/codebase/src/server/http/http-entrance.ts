// The entrance over HTTP: listens, checks each request with the guard before any of its body is read, and passes allowed
// requests to the routes. Refuses to be reachable from other machines without a token.

import type { toNodeHandler } from '@modelcontextprotocol/node';
import { type Clock, CodedError, isLoopback, isUrl, type Logger, messageOf } from '@plugboard/base';
import { listenHttp } from '../../platform/index.ts';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts';
import { judge, judgeNames } from './guard.ts';
import { MOST_BODY_BYTES, type Routes } from './routes.ts';

export interface HttpAddress {
  /** The address to listen on; loopback by default. */
  readonly host?: string | undefined;
  /** Zero, by default: the system chooses one. */
  readonly port?: number | undefined;
  /** The bearer token of clients; required for any address but loopback. */
  readonly token?: string | undefined;
  /** Names of this machine that clients may use, besides its addresses. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may use this server, such as `https://tools.example`, besides those of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

export interface HttpEntrance {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

const SHORTEST_TOKEN = 16;

export async function openHttp(
  address: HttpAddress,
  routes: Routes,
  ports: { readonly clock: Clock; readonly logger: Logger },
): Promise<HttpEntrance> {
  const { host = '127.0.0.1', port = 0, token, allowedHosts = [], allowedOrigins = [] } = address;
  checkToken(host, token);
  checkOrigins(allowedOrigins);
  const rules = { host, allowedHosts, allowedOrigins, token };
  // Loaded here, since only HTTP needs it, and it depends on a web framework.
  const node = await import('@modelcontextprotocol/node');
  const handle = node.toNodeHandler(routes, {
    maxRequestBodySize: MOST_BODY_BYTES,
    onerror: (error) =>
      ports.logger.log('warn', 'a request was not answered', { reason: messageOf(error) }),
  });
  const listener = await listenHttp({
    host,
    port,
    clock: ports.clock,
    onRequest: async (request, response) => {
      const { headers } = request;
      const names = judgeNames(headers, rules);
      if (names.kind === 'passed') {
        if (isPreflight(request)) {
          response.writeHead(204, preflightHeaders(request)).end();
          return undefined;
        }
        for (const [name, value] of Object.entries(corsHeaders(request))) {
          response.setHeader(name, value);
        }
      }
      const verdict = judge(headers, rules);
      // The types differ only in optional properties that may be undefined.
      if (verdict.kind === 'passed') return handle(request as NodeRequest, response);
      const { status, message } = verdict;
      const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
      response.writeHead(status, {
        'content-type': 'application/json',
        connection: 'close',
        ...challenge,
      });
      const body = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } };
      response.end(JSON.stringify(body));
      return undefined;
    },
  });
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${listener.port}/mcp`,
    port: listener.port,
    async close() {
      await routes.close();
      await listener.close();
    },
  };
}

function checkToken(host: string, token: string | undefined): void {
  if (token === undefined) {
    if (isLoopback(host)) return;
    throw new CodedError(
      'token-missing',
      `other machines can reach ${host}, so clients must show a token; fix: --token-variable NAME`,
      { data: { host } },
    );
  }
  if (token.length >= SHORTEST_TOKEN && /^[\x21-\x7e]+$/.test(token)) return;
  throw new CodedError(
    'token-unusable',
    `the token must have at least ${SHORTEST_TOKEN} characters and no spaces`,
    { data: { host } },
  );
}

function checkOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    const isOne = /^https?:\/\//.test(origin) && isUrl(origin);
    if (isOne && new URL(origin).origin === origin.toLowerCase()) continue;
    throw new CodedError(
      'origin-unusable',
      `${JSON.stringify(origin)} is not an origin; one looks like https://tools.example or http://tools.example:8080`,
      { data: { origin } },
    );
  }
}
