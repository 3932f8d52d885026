// The port by which a person is sent to an authorization page and comes back. Whoever implements it
// owns the window, the callback or the pasted line; what is in the redirect is judged elsewhere.

import type { Result } from '@plugboard/base';
import type { CallbackHost } from './oauth-settings.ts';

export interface Browser {
  /** Gets ready to receive the redirect, at this port where one is wished for. */
  begin(wish: BrowserWish): Promise<Result<BrowserVisit, BrowserProblem>>;
}

export interface BrowserWish {
  /** The port that the redirect must come to. */
  readonly port: number | undefined;
  /** How this machine is called in it, which some authorization servers compare as text: 127.0.0.1 unless given. */
  readonly host?: CallbackHost | undefined;
  /** The redirect that a client is registered with already; better than a new one. */
  readonly known: string | undefined;
}

/** One sign-in. Disposed when that is over, however it ended. */
export interface BrowserVisit extends AsyncDisposable {
  readonly redirectUrl: string;
  /** Sends the person there, and waits for where they are sent back to. */
  open(url: URL, signal: AbortSignal): Promise<Result<URL, BrowserProblem>>;
}

export type BrowserProblem =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'no-browser' };
