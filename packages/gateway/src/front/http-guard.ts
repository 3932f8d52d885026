// Who may talk to the gateway over HTTP. A page in a browser is no client: it has an origin, and a name that an attacker
// chose for this address. Both are refused before anything else is looked at.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface GuardOptions {
  /** Who a token is of, by the token. None: everybody who can reach the address. */
  readonly tokens: ReadonlyMap<string, string> | undefined;
  /** Names under which the gateway may be called, beside those of this machine. */
  readonly hosts: readonly string[];
  /** Origins of pages that may call it. */
  readonly origins: readonly string[];
}

export type Verdict =
  | { readonly kind: 'let-in'; readonly principal: string }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly reason: string };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function judge(request: IncomingMessage, options: GuardOptions): Verdict {
  const { rawHeaders } = request;
  const hosts = valuesOf(rawHeaders, 'host');
  const [host = ''] = hosts;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  if (hosts.length !== 1 || !(LOOPBACK.test(name) || options.hosts.includes(name))) {
    return refused(403, 'This gateway is not called by that name');
  }
  const origins = valuesOf(rawHeaders, 'origin');
  if (origins.some((origin) => !options.origins.includes(origin))) {
    return refused(403, 'Pages of that origin may not call this gateway');
  }
  if (options.tokens === undefined) return { kind: 'let-in', principal: 'anyone' };
  const given = valuesOf(rawHeaders, 'authorization');
  const [, token] = /^Bearer ([\w~+/.=-]{8,512})$/i.exec(given[0] ?? '') ?? [];
  if (given.length !== 1 || token === undefined) return refused(401, 'A token is needed');
  for (const [known, principal] of options.tokens) {
    if (isSame(known, token)) return { kind: 'let-in', principal };
  }
  return refused(401, 'The token is not known here');
}

function refused(status: 401 | 403, reason: string): Verdict {
  return { kind: 'refused', status, reason };
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** All of them: Node keeps the first of some headers that were sent twice. */
function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}
