// Who may talk to the gateway over HTTP. A page in a browser is no client: it has an origin, and a name that an attacker
// chose for this address. Both are refused before anything else is looked at. Pure: it also judges a request for a
// WebSocket, before the upgrade.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface GuardOptions {
  /** Whose a token is, by the token. None: every client that can reach the address is let in. */
  readonly tokens: ReadonlyMap<string, string> | undefined;
  /** Names under which the gateway may be called, beside those of this machine. */
  readonly hosts: readonly string[];
  /** Origins that a client may name, beside that of this address. */
  readonly origins: readonly string[];
}

export type Verdict =
  | { readonly kind: 'let-in'; readonly principal: string }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly reason: string };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function judge(
  request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  options: GuardOptions,
): Verdict {
  const { rawHeaders, url = '' } = request;
  const [host, ...otherHosts] = valuesOf(rawHeaders, 'host');
  // A target with an authority of its own would have precedence over `Host`.
  if (!url.startsWith('/') || otherHosts.length > 0 || !isOurs(host ?? '', options.hosts)) {
    return refused(403, 'This gateway is not called by that name');
  }
  const origins = valuesOf(rawHeaders, 'origin');
  const known = [`http://${host}`, `https://${host}`, ...options.origins];
  if (origins.length > 1 || origins.some((origin) => !known.includes(origin))) {
    return refused(403, 'Pages of that origin may not call this gateway');
  }
  if (options.tokens === undefined) return { kind: 'let-in', principal: 'anyone' };
  const given = valuesOf(rawHeaders, 'authorization');
  const [, token] = /^Bearer ([\w~+/.=-]{8,512})$/i.exec(given[0] ?? '') ?? [];
  if (given.length !== 1 || token === undefined) return refused(401, 'A token is needed');
  const principal = principalOf(token, options.tokens);
  return principal === undefined
    ? refused(401, 'The token is not known here')
    : { kind: 'let-in', principal };
}

function refused(status: 401 | 403, reason: string): Verdict {
  return { kind: 'refused', status, reason };
}

function isOurs(host: string, others: readonly string[]): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  return LOOPBACK.test(name) || others.some((other) => other.toLowerCase() === name);
}

/** Compares with all of them, to the end: neither how much of a token is right nor which one shows in the time. */
function principalOf(token: string, tokens: ReadonlyMap<string, string>): string | undefined {
  const given = Buffer.from(token);
  let found: string | undefined;
  for (const [known, principal] of tokens) {
    const bytes = Buffer.from(known);
    if (bytes.length === given.length && timingSafeEqual(bytes, given)) found = principal;
  }
  return found;
}

/** All of them: Node keeps the first of some headers that were sent twice. */
function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const key = rawHeaders[index] ?? '';
    if (key.length === name.length && key.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] ?? '');
    }
  }
  return values;
}
