// Decides by the Host, the Origin and the bearer token whether a request over HTTP is allowed, on every route. A web page can
// make its own name resolve to this machine, but it cannot choose these headers. Pure.

import { isLoopback, isUrl } from '@plugboard/base';
import { createHash, timingSafeEqual } from 'node:crypto';
import { isAddress } from '../../platform/index.ts';

export interface GuardRules {
  /** The address that the server listens on. */
  readonly host: string;
  /** Further names of this machine. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may use this server, besides those of this machine. */
  readonly allowedOrigins: readonly string[];
  readonly token: string | undefined;
}

export interface GuardedHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

export type Judgement =
  | { readonly kind: 'passed' }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly message: string };

/** Judges only the names, as for a preflight request, which has no token. */
export function judgeNames(
  headers: Pick<GuardedHeaders, 'host' | 'origin'>,
  rules: GuardRules,
): Judgement {
  const host = headers.host === undefined ? undefined : nameIn(`http://${headers.host}`);
  if (host === undefined || !isOurs(host, rules)) {
    return refused(403, 'this Host is not one of this server; fix: --allow-host NAME');
  }
  const { origin } = headers;
  if (origin !== undefined) {
    const from = /^https?:\/\//.test(origin) ? nameIn(origin) : undefined;
    if (from === undefined || !(isOurs(from, rules) || isAllowed(origin, rules))) {
      return refused(
        403,
        'pages of this Origin may not use this server; fix: --allow-origin ORIGIN',
      );
    }
  }
  return { kind: 'passed' };
}

export function judge(headers: GuardedHeaders, rules: GuardRules): Judgement {
  const names = judgeNames(headers, rules);
  if (names.kind === 'refused') return names;
  if (rules.token !== undefined && !isToken(headers.authorization, rules.token)) {
    return refused(401, 'this server wants its bearer token');
  }
  return { kind: 'passed' };
}

/** An address proves that no name was resolved, so a server for other machines accepts any address. */
function isOurs(name: string, { host, allowedHosts }: GuardRules): boolean {
  if (isLoopback(name) || name === bare(host)) return true;
  if (allowedHosts.some((allowed) => bare(allowed).toLowerCase() === name)) return true;
  return !isLoopback(host) && isAddress(name);
}

function isAllowed(origin: string, { allowedOrigins }: GuardRules): boolean {
  return allowedOrigins.some(
    (allowed) => isUrl(allowed) && new URL(allowed).origin === new URL(origin).origin,
  );
}

function nameIn(url: string): string | undefined {
  if (!isUrl(url)) return undefined;
  const { hostname, username, password } = new URL(url);
  return username === '' && password === '' && hostname !== '' ? bare(hostname) : undefined;
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Compares hashes, which have equal lengths, in constant time. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function refused(status: 401 | 403, message: string): Judgement {
  return { kind: 'refused', status, message };
}
