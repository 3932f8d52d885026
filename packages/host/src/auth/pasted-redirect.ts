// A sign-in on another machine than this one: the address of the page is shown, and where the browser was
// sent back to is pasted. Nothing listens here, so that page says that it cannot be reached.

import { err, ok } from '@plugboard/base';
import type { Browser } from './browser.ts';

export interface PastedRedirectOptions {
  readonly show: (url: URL) => void;
  /** What was pasted; nothing where whoever was asked gave up. */
  readonly ask: (signal: AbortSignal) => Promise<string | undefined>;
}

/** No port of a service, and none that is given out at random on usual systems. */
const DEFAULT_PORT = 28_437;

export function pastedRedirect({ show, ask }: PastedRedirectOptions): Browser {
  return {
    begin: ({ port = DEFAULT_PORT, known }) =>
      Promise.resolve(
        ok({
          redirectUrl: known ?? `http://127.0.0.1:${port}/callback`,
          async open(url: URL, signal: AbortSignal) {
            show(url);
            const pasted = (await ask(signal))?.trim() ?? '';
            return URL.canParse(pasted) ? ok(new URL(pasted)) : err({ kind: 'cancelled' as const });
          },
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
      ),
  };
}
