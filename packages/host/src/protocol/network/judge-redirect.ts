// Decides whether a request to the loopback listener is the redirect of a sign-in. Any page and any program on this
// machine can send requests to it, so every other request is turned away and has no effect. Pure.

import { isUrl } from '@plugboard/base';
import { hash, timingSafeEqual } from 'node:crypto';

/** The part of Node's request that is checked. */
export interface IncomingRedirect {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawHeaders: readonly string[];
}

export type RedirectVerdict =
  | { readonly kind: 'redirect'; readonly query: URLSearchParams }
  | { readonly kind: 'turned-away'; readonly status: 400 | 403 | 404 | 405 };

export interface ExpectedRedirect {
  readonly uri: URL;
  /** The state that was sent. */
  readonly state: string;
}

export function judgeRedirect(
  request: IncomingRedirect,
  { uri: expected, state }: ExpectedRedirect,
): RedirectVerdict {
  if (!isForUs(request, expected) || !isNavigation(request, expected)) return turnedAway(403);
  const target = request.url ?? '';
  if (!isUrl(target, expected.origin)) return turnedAway(400);
  const { origin, pathname, searchParams } = new URL(target, expected.origin);
  if (origin !== expected.origin || pathname !== expected.pathname) return turnedAway(404);
  if (request.method !== 'GET') return turnedAway(405);
  if (!isAnswer(searchParams)) return turnedAway(400);
  if (!isSameState(searchParams.get('state'), state)) return turnedAway(403);
  return { kind: 'redirect', query: searchParams };
}

function turnedAway(status: 400 | 403 | 404 | 405): RedirectVerdict {
  return { kind: 'turned-away', status };
}

/** DNS rebinding: a page whose name was made to resolve to this machine still sends its own name. */
function isForUs({ headers, rawHeaders }: IncomingRedirect, { host }: URL): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  return hosts.length === 1 && headers['host'] === host;
}

/** Browsers mark requests of scripts, forms, images and frames; a redirect of a page is a document. */
function isNavigation({ headers }: IncomingRedirect, { origin }: URL): boolean {
  const { origin: from = origin, 'sec-fetch-dest': purpose = 'document' } = headers;
  return from === origin && purpose === 'document';
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2. Repeated parameters make the answer invalid. */
function isAnswer(query: URLSearchParams): boolean {
  const isClear = SINGLE_PARAMETERS.every((name) => query.getAll(name).length <= 1);
  return isClear && query.has('code') !== query.has('error');
}

const SINGLE_PARAMETERS = ['code', 'error', 'state', 'iss'];

/** Compares in constant time, so that an attacker learns nothing from it. */
export function isSameState(given: string | null, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given ?? '', 'buffer'), hash('sha256', expected, 'buffer'));
}
