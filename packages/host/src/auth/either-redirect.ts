// A sign-in whose redirect may arrive by itself or be pasted, whichever is first: from a browser on this
// machine, through a forwarded port, or from a browser that cannot reach this machine at all.

import { type Clock, ok, type Result } from '@plugboard/base';
import type { Browser, BrowserProblem, BrowserVisit } from './browser.ts';
import { loopbackBrowser } from './loopback-browser.ts';
import { pastedAddress, pastedRedirect } from './pasted-redirect.ts';

export interface EitherRedirectOptions {
  /** Shows the page to the user, or tells them its address. */
  readonly show: (url: URL) => Promise<void>;
  /**
   * Called once the page was shown. Returns what was pasted; `undefined` if the user gave up, which ends the
   * sign-in. Aborted when the redirect arrives by itself.
   */
  readonly ask: (signal: AbortSignal) => Promise<string | undefined>;
  /** How long the user may take: 5 minutes by default. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

export function eitherRedirect(options: EitherRedirectOptions): Browser {
  const { show, ask, ...limits } = options;
  return {
    async begin(request) {
      let onShown = (): void => {};
      const shown = new Promise<void>((resolve) => {
        onShown = resolve;
      });
      const callback = loopbackBrowser({
        ...limits,
        async show(url) {
          await show(url);
          onShown();
          return ok(undefined);
        },
      });
      const listening = await callback.begin(request);
      if (listening.ok) return ok(new EitherVisit(listening.value, shown, ask));
      // Another program has the port, so no redirect can arrive by itself.
      return pastedRedirect({
        show: (url) => void show(url).then(onShown),
        ask: async (signal) => {
          await shown;
          return ask(signal);
        },
      }).begin(request);
    },
  };
}

class EitherVisit implements BrowserVisit {
  readonly redirectUrl: string;
  readonly #callback: BrowserVisit;
  readonly #shown: Promise<void>;
  readonly #ask: EitherRedirectOptions['ask'];

  constructor(callback: BrowserVisit, shown: Promise<void>, ask: EitherRedirectOptions['ask']) {
    this.redirectUrl = callback.redirectUrl;
    this.#callback = callback;
    this.#shown = shown;
    this.#ask = ask;
  }

  async open(url: URL, signal: AbortSignal): Promise<Result<URL, BrowserProblem>> {
    const over = new AbortController();
    const end = (): void =>
      over.abort(new Error('the redirect has come, or is not wanted any more'));
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      const returned = this.#callback.open(url, over.signal);
      const pasted = this.#shown.then(async () => pastedAddress(await this.#ask(over.signal)));
      return await Promise.race([returned, pasted]);
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#callback[Symbol.asyncDispose]();
  }
}
