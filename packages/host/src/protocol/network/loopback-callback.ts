// Waits on this machine for the browser to come back from a sign-in. It listens on 127.0.0.1 only, takes
// one answer and is gone: after it, after its time, or when told so. Opening the browser and using the
// code is the caller's business.

import type { Server, ServerResponse } from 'node:http';
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
  /** Some authorization servers know one port only. Else the system chooses. */
  readonly port?: number;
  /** How this machine is called in the redirect URI, which some authorization servers compare as text. */
  readonly host?: '127.0.0.1' | 'localhost';
  readonly path?: string;
  /** Where given, whatever comes with another one is turned away, and the waiting goes on. */
  readonly state?: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface RedirectListener extends AsyncDisposable {
  readonly redirectUri: string;
  /** What came with the browser: either `code` or `error`, and what else there was. Never rejects. */
  readonly redirect: Promise<Result<URLSearchParams, RedirectProblem>>;
  /** Ends the waiting, as `cancelled` if nothing came. Idempotent. */
  close(): Promise<void>;
}

export type RedirectProblem =
  | { readonly kind: 'timed-out'; readonly ms: number }
  | { readonly kind: 'cancelled' };

export type ListenProblem =
  | { readonly kind: 'port-in-use'; readonly port: number }
  | { readonly kind: 'cannot-listen'; readonly port: number; readonly code: string };

export async function listenForRedirect(
  options: ListenForRedirectOptions,
): Promise<Result<RedirectListener, ListenProblem>> {
  const { port = 0, host = '127.0.0.1', path = '/callback' } = options;
  const { createServer } = await import('node:http');
  const server = createServer();
  const bound = await bind(server, port);
  if (!bound.ok) return bound;
  const uri = new URL(`http://${host}:${bound.value}`);
  uri.pathname = path;
  const closing = new AbortController();
  const redirect = waitFor(
    server,
    { uri, state: options.state },
    { ...options, closing: closing.signal },
  );
  const close = async (): Promise<void> => {
    closing.abort();
    await redirect;
  };
  return ok({ redirectUri: uri.href, redirect, close, [Symbol.asyncDispose]: close });
}

function bind(server: Server, port: number): Promise<Result<number, ListenProblem>> {
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
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      resolve(ok((server.address() as AddressInfo).port));
    });
  });
}

type Waiting = Pick<ListenForRedirectOptions, 'timeoutMs' | 'clock' | 'signal'> & {
  readonly closing: AbortSignal;
};

async function waitFor(
  server: Server,
  expected: ExpectedRedirect,
  { timeoutMs, clock, signal, closing }: Waiting,
): Promise<Result<URLSearchParams, RedirectProblem>> {
  using limit = deadline(timeoutMs, clock, AbortSignal.any([signal, closing]));
  try {
    const { query, shown } = await abortable(firstRedirect(server, expected), limit.signal);
    // The browser is to have its page before it is cut off.
    await abortable(shown, limit.signal).catch(() => {});
    return ok(query);
  } catch {
    // Only the signal ends the waiting otherwise.
    const isLate = limit.signal.reason instanceof DeadlineExceeded && !signal.aborted;
    return err(isLate ? { kind: 'timed-out', ms: timeoutMs } : { kind: 'cancelled' });
  } finally {
    await closed(server);
  }
}

interface TakenRedirect {
  readonly query: URLSearchParams;
  /** When the browser has its page, or is gone. */
  readonly shown: Promise<unknown>;
}

/** The first one counts; whoever still comes before the server is closed changes nothing. */
function firstRedirect(server: Server, expected: ExpectedRedirect): Promise<TakenRedirect> {
  return new Promise((resolve) => {
    server.on('request', (request, response) => {
      const verdict = judgeRedirect(request, expected);
      if (verdict.kind === 'turned-away') {
        answer(response, verdict.status, 'not-this');
        return;
      }
      const { query } = verdict;
      resolve({ query, shown: new Promise((done) => response.once('close', done)) });
      answer(response, 200, query.has('error') ? 'not-completed' : 'received');
    });
  });
}

function answer(response: ServerResponse, status: number, page: PageKind): void {
  response.writeHead(status, {
    ...pageHeaders(),
    ...(status === 405 ? { allow: 'GET' } : {}),
  });
  response.end(redirectPage(page));
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
