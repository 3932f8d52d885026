// A browser without a window: whatever page it is sent to on this machine sends it back at once; it goes
// to no other.

import { err, ok } from '@plugboard/base';
import type { Browser, LoginWay } from '../../src/auth/index.ts';

export interface FollowingBrowser extends Browser {
  /** The pages that were opened. */
  readonly visited: readonly URL[];
}

export const REDIRECT = 'http://127.0.0.1:28437/callback';

export function followingBrowser(change: (redirect: URL) => void = () => {}): FollowingBrowser {
  const visited: URL[] = [];
  return {
    visited,
    begin: () =>
      Promise.resolve(
        ok({
          redirectUrl: REDIRECT,
          async open(page: URL) {
            visited.push(page);
            if (page.hostname !== '127.0.0.1') return err({ kind: 'no-browser' as const });
            const response = await fetch(page, {
              redirect: 'manual',
              headers: { connection: 'close' },
            });
            await response.arrayBuffer();
            const location = response.headers.get('location');
            if (location === null) return err({ kind: 'cancelled' as const });
            const redirect = new URL(location);
            change(redirect);
            return ok(redirect);
          },
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
      ),
  };
}

/** A user who signs in with this browser. */
export function inBrowser(browser: Browser): { readonly way: LoginWay } {
  return { way: { kind: 'browser', browser } };
}
