// A sign-in on another machine than this one: the address of the page is shown, and where the browser was
// sent back to is pasted. Nothing listens here, so that page says that it cannot be reached.

import { err, ok, type Result } from '@plugboard/base';
import type { Browser, BrowserProblem } from './browser.ts';
import type { CallbackHost } from './oauth-settings.ts';

export interface PastedRedirectOptions {
  readonly show: (url: URL) => void;
  /** What was pasted; nothing where whoever was asked gave up. */
  readonly ask: (signal: AbortSignal) => Promise<string | undefined>;
}

/** No port of a service, and none that is given out at random on usual systems. */
const DEFAULT_PORT = 28_437;

export function pastedRedirect({ show, ask }: PastedRedirectOptions): Browser {
  return {
    begin: ({ port = DEFAULT_PORT, host = '127.0.0.1', known }) =>
      Promise.resolve(
        ok({
          redirectUrl: isAt(host, known) ? known : `http://${host}:${port}/callback`,
          async open(url: URL, signal: AbortSignal) {
            show(url);
            return pastedAddress(await ask(signal));
          },
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
      ),
  };
}

function isAt(host: CallbackHost, known: string | undefined): known is string {
  return known !== undefined && URL.canParse(known) && new URL(known).hostname === host;
}

/** Browsers leave out the scheme where they show an address. */
export function pastedAddress(text: string | undefined): Result<URL, BrowserProblem> {
  const pasted = text?.trim() ?? '';
  const address = /^(?:127\.0\.0\.1|localhost)[:/]/.test(pasted) ? `http://${pasted}` : pasted;
  return URL.canParse(address) ? ok(new URL(address)) : err({ kind: 'cancelled' });
}
