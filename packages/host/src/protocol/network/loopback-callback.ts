// Waits on this machine for the redirect of a sign-in. Listens only on 127.0.0.1, and for `localhost` also on ::1, since a
// browser may resolve that name to either. Rejects every request until `redirect` is called, accepts one redirect, and
// closes after that, after a timeout, or on request. The caller opens the browser and uses the code.

import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  abortable,
  type Clock,
  codeOf,
  deadline,
  DeadlineExceeded,
  err,
  ok,
  type Result,
} from '@plugboard/base';
import { type ExpectedRedirect, judgeRedirect } from './judge-redirect.ts';
import { pageHeaders, type PageKind, redirectPage } from './redirect-page.ts';

export interface ListenForRedirectOptions {
  /** For authorization servers that accept only one port. By default the system chooses. */
  readonly port?: number;
  /** The name of this machine in the redirect URI, which some authorization servers compare as text. */
  readonly host?: '127.0.0.1' | 'localhost';
}

export interface AwaitRedirectOptions {
  /** Requests with another state are rejected and change nothing. */
  readonly state: string;
  /** The name of the server that the user signs in to, for the page. */
  readonly server?: string | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type RedirectProblem =
  | { readonly kind: 'timed-out'; readonly ms: number }
  | { readonly kind: 'cancelled' };

export type ListenProblem =
  | { readonly kind: 'port-in-use'; readonly port: number }
  | { readonly kind: 'cannot-listen'; readonly port: number; readonly code: string };

/** A browser sends its whole request at once. */
const REQUEST_MS = 5000;

export async function listenForRedirect(
  options: ListenForRedirectOptions = {},
): Promise<Result<RedirectListener, ListenProblem>> {
  const { port = 0, host = '127.0.0.1' } = options;
  const bound = await (host === 'localhost' ? bindBoth(port) : bindOne({ port }));
  if (!bound.ok) return bound;
  const uri = new URL(`http://${host}:${bound.value.port}/callback`);
  return ok(new RedirectListener(bound.value.servers, uri));
}

export class RedirectListener implements AsyncDisposable {
  readonly redirectUri: string;
  readonly #servers: readonly Server[];
  readonly #uri: URL;
  readonly #closing = new AbortController();
  #waiting: Promise<unknown> | undefined;
  #onRequest: RequestListener = (_, response) => answer(response, 403, { kind: 'not-this' });

  constructor(servers: readonly Server[], uri: URL) {
    this.redirectUri = uri.href;
    this.#servers = servers;
    this.#uri = uri;
    for (const server of servers) {
      server.on('request', (request, response) => this.#onRequest(request, response));
    }
  }

  /**
   * Returns the query of the redirect: `code` or `error`, and further parameters. Never rejects. The listener closes
   * afterwards, so this can be called only once.
   */
  redirect(options: AwaitRedirectOptions): Promise<Result<URLSearchParams, RedirectProblem>> {
    const waiting = this.#wait(options);
    this.#waiting = waiting;
    return waiting;
  }

  /** Stops waiting; without a redirect, the result is `cancelled`. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#waiting;
    await closed(this.#servers);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #wait({
    state,
    server,
    timeoutMs,
    clock,
    signal,
  }: AwaitRedirectOptions): Promise<Result<URLSearchParams, RedirectProblem>> {
    using limit = deadline(timeoutMs, clock, AbortSignal.any([signal, this.#closing.signal]));
    try {
      const taking = this.#firstRedirect({ uri: this.#uri, state }, server);
      const { query, shown } = await abortable(taking, limit.signal);
      // Lets the browser receive its page before the connection is closed.
      await abortable(shown, limit.signal).catch(() => {});
      return ok(query);
    } catch {
      // Only the signal can cause this.
      const isLate = limit.signal.reason instanceof DeadlineExceeded && !signal.aborted;
      return err(isLate ? { kind: 'timed-out', ms: timeoutMs } : { kind: 'cancelled' });
    } finally {
      await closed(this.#servers);
    }
  }

  /** Takes the first redirect; later requests have no effect. */
  #firstRedirect(expected: ExpectedRedirect, server: string | undefined): Promise<TakenRedirect> {
    return new Promise((resolve) => {
      this.#onRequest = (request, response) => {
        const verdict = judgeRedirect(request, expected);
        if (verdict.kind === 'turned-away') {
          answer(response, verdict.status, { kind: 'not-this' });
          return;
        }
        const { query } = verdict;
        resolve({ query, shown: new Promise((done) => response.once('close', done)) });
        const kind = query.has('error') ? 'not-completed' : 'received';
        answer(response, 200, { kind, server });
      };
    });
  }
}

interface TakenRedirect {
  readonly query: URLSearchParams;
  /** Settles when the browser has received its page or disconnected. */
  readonly shown: Promise<unknown>;
}

interface BoundServers {
  readonly port: number;
  readonly servers: readonly Server[];
}

type Binding = Promise<Result<BoundServers, ListenProblem>>;

/** How many ports are tried, since the port from the system may be in use at the other address. */
const TRIES = 10;

/** The errors of a machine without IPv6, where no browser uses ::1. */
const NO_ADDRESS: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EPROTONOSUPPORT',
]);

/**
 * Binds one port at both addresses. A port that another program uses at one of them is unusable, since that program could
 * receive the redirect.
 */
async function bindBoth(port: number): Binding {
  for (let tried = 1; ; tried += 1) {
    const first = await bindOne({ port });
    if (!first.ok) return first;
    const second = await bindOne({ port: first.value.port, address: '::1' });
    if (second.ok) {
      const servers = [...first.value.servers, ...second.value.servers];
      return ok({ port: first.value.port, servers });
    }
    const { error } = second;
    if (error.kind === 'cannot-listen' && NO_ADDRESS.has(error.code)) return first;
    await closed(first.value.servers);
    if (port !== 0 || tried === TRIES || error.kind !== 'port-in-use') return second;
  }
}

async function bindOne({
  port,
  address = '127.0.0.1',
}: {
  readonly port: number;
  readonly address?: '127.0.0.1' | '::1';
}): Binding {
  const { createServer } = await import('node:http');
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS });
  return new Promise((resolve) => {
    server.once('error', (thrown) => {
      const code = codeOf(thrown) ?? 'UNKNOWN';
      resolve(
        err(
          code === 'EADDRINUSE'
            ? { kind: 'port-in-use', port }
            : { kind: 'cannot-listen', port, code },
        ),
      );
    });
    server.listen({ port, host: address, exclusive: true, ipv6Only: true }, () => {
      resolve(ok({ port: (server.address() as AddressInfo).port, servers: [server] }));
    });
  });
}

function answer(
  response: ServerResponse,
  status: number,
  { kind, server }: { readonly kind: PageKind; readonly server?: string | undefined },
): void {
  response.writeHead(status, {
    ...pageHeaders(),
    ...(status === 405 ? { allow: 'GET' } : {}),
  });
  response.end(redirectPage(kind, server));
}

async function closed(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  );
}
