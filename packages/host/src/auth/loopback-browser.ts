// A browser on this machine, which returns to 127.0.0.1, or to localhost if requested, for one sign-in and
// within a limited time. A program with its own way to show a page passes it in.

import { type Clock, err, isUrl, ok, type Result, systemClock } from '@plugboard/base';
import { openBrowser } from '../platform/index.ts';
import {
  listenForRedirect,
  type RedirectListener,
  type RedirectProblem,
} from '../protocol/index.ts';
import type { Browser, BrowserProblem, BrowserVisit, BrowserWish } from './browser.ts';
import type { CallbackHost } from './oauth-settings.ts';

export interface LoopbackOptions {
  /** Shows the page to the user; an error if it cannot. The system's browser, by default. */
  readonly show?: (url: URL) => Promise<Result<void, BrowserProblem>>;
  /** How long the user may take: 5 minutes by default. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

const TIMEOUT_MS = 5 * 60_000;

export function loopbackBrowser(options: LoopbackOptions = {}): Browser {
  return {
    async begin(request) {
      const listener = await listenerFor(request);
      return listener === undefined
        ? err({ kind: 'no-browser' })
        : ok(new LoopbackVisit(listener, options));
    },
  };
}

/** At the requested port, or not at all; otherwise at a known port, or else at any free one. */
async function listenerFor({
  port,
  host = '127.0.0.1',
  known,
}: BrowserWish): Promise<RedirectListener | undefined> {
  if (port !== undefined) return listenAt(port, host);
  const last = known === undefined ? undefined : portOf(known, host);
  return (last === undefined ? undefined : await listenAt(last, host)) ?? listenAt(0, host);
}

function portOf(redirectUrl: string, host: CallbackHost): number | undefined {
  if (!isUrl(redirectUrl)) return undefined;
  const { hostname, port } = new URL(redirectUrl);
  return hostname === host && port !== '' ? Number(port) : undefined;
}

async function listenAt(port: number, host: CallbackHost): Promise<RedirectListener | undefined> {
  const listener = await listenForRedirect({ port, host });
  return listener.ok ? listener.value : undefined;
}

class LoopbackVisit implements BrowserVisit {
  readonly #listener: RedirectListener;
  readonly #options: LoopbackOptions;

  constructor(listener: RedirectListener, options: LoopbackOptions) {
    this.#listener = listener;
    this.#options = options;
  }

  get redirectUrl(): string {
    return this.#listener.redirectUri;
  }

  async open(url: URL, signal: AbortSignal): Promise<Result<URL, BrowserProblem>> {
    const { clock = systemClock, timeoutMs = TIMEOUT_MS, show = showInBrowser } = this.#options;
    // Without a state, the redirect cannot be matched to this sign-in.
    const state = url.searchParams.get('state') ?? '';
    if (signal.aborted || state === '') return err({ kind: 'cancelled' });
    const returned = this.#listener.redirect({
      ...{ state, timeoutMs, clock, signal },
      server: hostOf(url.searchParams.get('resource')),
    });
    const redirected = returned.then((query) => this.#redirectOf(query));
    // Programs that show pages may report late; the user may be faster.
    return Promise.race([redirected, show(url).then((shown) => (shown.ok ? redirected : shown))]);
  }

  #redirectOf(query: Result<URLSearchParams, RedirectProblem>): Result<URL, BrowserProblem> {
    if (query.ok) return ok(new URL(`${this.redirectUrl}?${query.value.toString()}`));
    return err({ kind: query.error.kind === 'timed-out' ? 'timeout' : 'cancelled' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#listener.close();
  }
}

async function showInBrowser(url: URL): Promise<Result<void, BrowserProblem>> {
  const { kind } = await openBrowser(url.href);
  return kind === 'opened' ? ok(undefined) : err({ kind: 'no-browser' });
}

/** The name of the server that the user signs in to. */
function hostOf(resource: string | null): string | undefined {
  return resource !== null && isUrl(resource) ? new URL(resource).host : undefined;
}
