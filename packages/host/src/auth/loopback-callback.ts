// Receives the redirect of a sign-in on this machine: at 127.0.0.1 only, for one sign-in, for a limited
// time. Requests that are not that redirect are refused and change nothing; the page that is shown holds
// nothing of what came. How a page gets in front of a person is handed in.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Clock, err, ok, type Result, systemClock } from '@plugboard/base';
import type { Browser, BrowserProblem, BrowserVisit, BrowserWish } from './browser.ts';
import { isSame } from './read-redirect.ts';

export interface LoopbackOptions {
  /** Shows the page to a person. The error is that it cannot. */
  readonly show: (url: URL) => Promise<Result<void, BrowserProblem>>;
  /** How long a person may take: 5 minutes unless given. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

const HOST = '127.0.0.1';
const PATH = '/callback';
const TIMEOUT_MS = 5 * 60_000;

export function loopbackBrowser(options: LoopbackOptions): Browser {
  return {
    async begin(wish) {
      const listening = await listen(wish);
      return listening === undefined
        ? err({ kind: 'no-browser' })
        : ok(new LoopbackVisit(listening.server, listening.port, options));
    },
  };
}

interface Listening {
  readonly server: Server;
  readonly port: number;
}

/** At the port that is wished for, or nowhere; at a known one, or else at any that is free. */
async function listen({ port, known }: BrowserWish): Promise<Listening | undefined> {
  if (port !== undefined) return listenAt(port);
  const last = known === undefined || !URL.canParse(known) ? undefined : new URL(known);
  const lastPort = last?.hostname === HOST ? Number(last.port) : 0;
  return (lastPort === 0 ? undefined : await listenAt(lastPort)) ?? listenAt(0);
}

async function listenAt(port: number): Promise<Listening | undefined> {
  // Only who signs in needs it.
  const { createServer } = await import('node:http');
  const server = createServer();
  server.headersTimeout = 5000;
  server.requestTimeout = 5000;
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : port;
      resolve({ server, port: taken });
    });
  });
}

class LoopbackVisit implements BrowserVisit {
  readonly redirectUrl: string;
  readonly #server: Server;
  readonly #host: string;
  readonly #options: LoopbackOptions;
  #state: string | undefined;
  #settle: (result: Result<URL, BrowserProblem>) => void = () => {};

  constructor(server: Server, port: number, options: LoopbackOptions) {
    this.#server = server;
    this.#host = `${HOST}:${port}`;
    this.#options = options;
    this.redirectUrl = `http://${this.#host}${PATH}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#onRequest(request, response),
    );
  }

  async open(url: URL, signal: AbortSignal): Promise<Result<URL, BrowserProblem>> {
    const { clock = systemClock, timeoutMs = TIMEOUT_MS, show } = this.#options;
    if (signal.aborted) return err({ kind: 'cancelled' });
    const returned = new Promise<Result<URL, BrowserProblem>>((resolve) => {
      this.#settle = resolve;
    });
    this.#state = url.searchParams.get('state') ?? undefined;
    const cancel = (): void => this.#settle(err({ kind: 'cancelled' }));
    signal.addEventListener('abort', cancel, { once: true });
    using _ = clock.after(timeoutMs, () => this.#settle(err({ kind: 'timeout' })));
    try {
      const shown = await show(url);
      return shown.ok ? await returned : shown;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#state = undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#settle(err({ kind: 'cancelled' }));
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeIdleConnections();
    // A browser keeps its connection open for the next page, which does not come.
    const { clock = systemClock } = this.#options;
    using _ = clock.after(LAST_WORDS_MS, () => this.#server.closeAllConnections());
    await closed;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    // A page elsewhere can have a name of its own lead here, but not without saying so.
    if (request.headers.host !== this.#host) return answer(response, 403, REFUSED);
    const url = new URL(request.url ?? '/', `http://${this.#host}`);
    if (request.method !== 'GET' || url.pathname !== PATH) return answer(response, 404, REFUSED);
    const given = url.searchParams.get('state') ?? '';
    if (this.#state === undefined || !isSame(given, this.#state)) {
      return answer(response, 400, REFUSED);
    }
    this.#state = undefined;
    answer(response, 200, url.searchParams.has('error') ? DECLINED : DONE);
    this.#settle(ok(url));
  }
}

const LAST_WORDS_MS = 250;

function answer(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    connection: 'close',
  });
  response.end(pageOf(words));
}

const DONE = 'You are signed in. You can close this window.';
const DECLINED = 'You are not signed in. You can close this window.';
const REFUSED = 'There is nothing here.';

/** The words are ours; nothing that came with the request is ever part of it. */
function pageOf(words: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Plugboard</title>
<style>
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { display: grid; place-content: center; min-height: 90vh; margin: 0; text-align: center }
</style>
</head>
<body><main><h1>Plugboard</h1><p>${words}</p></main></body>
</html>
`;
}
