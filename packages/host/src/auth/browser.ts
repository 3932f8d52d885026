// The port by which a user is sent to an authorization page and returns. The implementation owns the window,
// the callback or the pasted line; the contents of the redirect are judged elsewhere.

import type { Result } from '@plugboard/base';
import type { CallbackHost } from './oauth-settings.ts';

export interface Browser {
  /** Prepares to receive the redirect, at the requested port if one is given. */
  begin(request: BrowserWish): Promise<Result<BrowserVisit, BrowserProblem>>;
}

export interface BrowserWish {
  /** The port that the redirect must arrive at. */
  readonly port: number | undefined;
  /**
   * The name of this machine in the redirect, which some authorization servers compare as text: 127.0.0.1 by default.
   */
  readonly host?: CallbackHost | undefined;
  /** The redirect that a client is registered with already; preferred to a new one. */
  readonly known: string | undefined;
}

/** One sign-in. Disposed when it is over, however it ended. */
export interface BrowserVisit extends AsyncDisposable {
  readonly redirectUrl: string;
  /** Sends the user to the page, and waits for the redirect. */
  open(url: URL, signal: AbortSignal): Promise<Result<URL, BrowserProblem>>;
}

export type BrowserProblem =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'no-browser' };
