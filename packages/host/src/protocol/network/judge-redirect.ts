// Whether a request to the loopback listener is the browser coming back from a sign-in. Any page and any
// program on this machine can send it requests, so what is not surely that is turned away and changes
// nothing. Pure.

import { isUrl } from '@plugboard/base';
import { createHash, timingSafeEqual } from 'node:crypto';

/** As Node gives it. */
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
  /** The one that was sent along; any will do where none is given. */
  readonly state: string | undefined;
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
  if (state !== undefined && !isSame(searchParams.get('state') ?? '', state)) {
    return turnedAway(403);
  }
  return { kind: 'redirect', query: searchParams };
}

function turnedAway(status: 400 | 403 | 404 | 405): RedirectVerdict {
  return { kind: 'turned-away', status };
}

/** A page of another name that was made to lead to this machine still says its own name. */
function isForUs({ headers, rawHeaders }: IncomingRedirect, { host }: URL): boolean {
  const said = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  return said.length === 1 && headers['host'] === host;
}

/** Scripts, forms, images and frames of pages say so; a redirect that a person follows does not. */
function isNavigation({ headers }: IncomingRedirect, { origin }: URL): boolean {
  const { origin: from = origin, 'sec-fetch-dest': purpose = 'document' } = headers;
  return from === origin && purpose === 'document';
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2. What is said twice says nothing. */
function isAnswer(query: URLSearchParams): boolean {
  const isClear = SAID_ONCE.every((name) => query.getAll(name).length <= 1);
  return isClear && query.has('code') !== query.has('error');
}

const SAID_ONCE = ['code', 'error', 'state', 'iss'];

/** In the same time wherever the first difference is. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
