// Decides who may use the gateway over HTTP. A page in a browser is not a client: it sends an origin, and possibly a
// host name that an attacker chose for this address. Both are refused before anything else is read, and before the upgrade
// to a WebSocket.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { GatewayCore } from '../session/index.ts';
import type { Refusal } from './refusal.ts';

export interface GuardOptions {
  /** The principal of each token. `undefined` admits every client that can reach the address. */
  readonly tokens: ReadonlyMap<string, string> | undefined;
  /** Host names of the gateway, in addition to those of this machine. */
  readonly hosts: readonly string[];
  /** Admitted origins, in addition to the origin of this address. */
  readonly origins: readonly string[];
  /** Whether pages of other sites may link here. */
  readonly takesLinks?: boolean;
}

type Verdict =
  | { readonly kind: 'let-in'; readonly principal: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** `Sec-Fetch-Site` of a request that a page of another origin caused. */
const FOREIGN_SITE = /^(?:cross-site|same-site)$/i;

/** Judges a request of a client, and logs a refusal. */
export function admit(
  request: IncomingMessage,
  options: GuardOptions,
  { trouble }: Pick<GatewayCore, 'trouble'>,
): Verdict {
  const verdict = judge(request, options);
  if (verdict.kind === 'refused') trouble.refused(verdict.refusal);
  return verdict;
}

export function judge(
  request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  options: GuardOptions,
): Verdict {
  const { rawHeaders, url = '' } = request;
  const { host, origin, authorization, 'sec-fetch-site': site } = readHeaders(rawHeaders);
  const name = host[0] ?? '';
  // A request target with an authority would take precedence over `Host`.
  if (!url.startsWith('/') || host.length > 1 || !isOwnHost(name, options.hosts)) {
    return refused(403, 'This gateway is not called by that name');
  }
  if (origin.length > 1 || origin.some((each) => !isKnownOrigin(each, name, options.origins))) {
    return refused(403, 'Pages of that origin may not call this gateway');
  }
  // Images and links of a page are requested without an origin.
  const checksSite = origin.length === 0 && options.takesLinks !== true;
  if (checksSite && site.some((each) => FOREIGN_SITE.test(each))) {
    return refused(403, 'Pages of other sites may not call this gateway');
  }
  if (options.tokens === undefined) return { kind: 'let-in', principal: 'anyone' };
  const [, token] = /^Bearer ([\w~+/.=-]{8,512})$/i.exec(authorization[0] ?? '') ?? [];
  if (authorization.length !== 1 || token === undefined) return refused(401, 'A token is needed');
  const principal = principalOf(token, options.tokens);
  return principal === undefined
    ? refused(
        401,
        'The token is not known here. This writes the right one into clients: plugboard install --all --http',
      )
    : { kind: 'let-in', principal };
}

function refused(status: 401 | 403, reason: string): Verdict {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return { kind: 'refused', refusal: { status, reason, headers } };
}

function isOwnHost(host: string, others: readonly string[]): boolean {
  if (LOOPBACK.test(host)) return true;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  return others.some((other) => other.toLowerCase() === name);
}

function isKnownOrigin(origin: string, host: string, others: readonly string[]): boolean {
  return origin === `http://${host}` || origin === `https://${host}` || others.includes(origin);
}

/** Compares with every token in full, so that the time reveals neither how much of a token is right nor which one it is. */
function principalOf(token: string, tokens: ReadonlyMap<string, string>): string | undefined {
  const given = Buffer.from(token);
  let found: string | undefined;
  for (const [known, principal] of tokens) {
    const bytes = Buffer.from(known);
    if (bytes.length === given.length && timingSafeEqual(bytes, given)) found = principal;
  }
  return found;
}

type GuardHeaders = Readonly<
  Record<'host' | 'origin' | 'authorization' | 'sec-fetch-site', string[]>
>;

/** All values of each header: of some duplicate headers, Node keeps only the first. */
function readHeaders(rawHeaders: readonly string[]): GuardHeaders {
  const found: GuardHeaders = { host: [], origin: [], authorization: [], 'sec-fetch-site': [] };
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    switch (name) {
      case 'host':
      case 'origin':
      case 'authorization':
      case 'sec-fetch-site':
        found[name].push(rawHeaders[index + 1] ?? '');
        break;
      default:
    }
  }
  return found;
}
