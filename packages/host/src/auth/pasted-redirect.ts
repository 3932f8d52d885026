// A sign-in on another machine: the address of the page is shown, and the user pastes the address that the
// browser was redirected to. Nothing listens here, so the browser reports that page as unreachable.

import { err, isUrl, ok, type Result } from '@plugboard/base';
import type { Browser, BrowserProblem } from './browser.ts';
import type { CallbackHost } from './oauth-settings.ts';

export interface PastedRedirectOptions {
  readonly show: (url: URL) => void;
  /** What was pasted; `undefined` if the user gave up. */
  readonly ask: (signal: AbortSignal) => Promise<string | undefined>;
}

/** Not the port of a known service, and outside the usual ephemeral ranges. */
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
  return known !== undefined && isUrl(known) && new URL(known).hostname === host;
}

/** Browsers omit the scheme in the address bar. */
export function pastedAddress(text: string | undefined): Result<URL, BrowserProblem> {
  const pasted = text?.trim() ?? '';
  const address = /^(?:127\.0\.0\.1|localhost)[:/]/.test(pasted) ? `http://${pasted}` : pasted;
  return isUrl(address) ? ok(new URL(address)) : err({ kind: 'cancelled' });
}
