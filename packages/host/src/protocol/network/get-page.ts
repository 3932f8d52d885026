// A page of the open web, for an address that a model named: only public addresses, within bounds of size and time.
// Redirects within its origin are followed, each judged like the address itself. One that leaves the origin is the
// caller's business, since permission was given for this one. What the bytes mean is the caller's business, too.

import { type Clock, deadline, DeadlineExceeded, err, ok, type Result } from '@plugboard/base';
import { type HostEnvironment, networkSettings } from '../../platform/index.ts';
import { type FetchProblem, FetchRefused } from './fetch-refused.ts';
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';
import { redirectTarget } from './redirect-target.ts';

export interface GetPageOptions extends Pick<GuardedFetchOptions, 'resolve' | 'dial'> {
  /** Whose proxies are used. */
  readonly environment: Pick<HostEnvironment, 'env' | 'cwd'>;
  readonly headers: Readonly<Record<string, string>>;
  /** After decompression. */
  readonly maxBytes: number;
  /** For all of it: resolving, connecting, redirects and the page. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** An answer of any status, read to its end. */
export interface PageAnswer {
  /** After redirects. */
  readonly url: URL;
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type PageProblem =
  | FetchProblem
  /** It leads to another origin, to which nothing was sent. */
  | { readonly kind: 'other-origin'; readonly to: URL };

const MOST_REDIRECTS = 5;

/** Rejects only with the reason of the signal. */
export async function getPage(
  url: URL,
  options: GetPageOptions,
): Promise<Result<PageAnswer, PageProblem>> {
  const { environment, timeoutMs, clock, maxBytes, resolve, dial } = options;
  using limit = deadline(timeoutMs, clock, options.signal);
  const send = guardedFetch({
    network: networkSettings(environment),
    homes: [],
    plain: 'anywhere',
    ...{ clock, timeoutMs, maxBytes, resolve, dial },
  });
  try {
    return await follow(url, { send, headers: options.headers, signal: limit.signal });
  } catch (thrown) {
    if (thrown instanceof FetchRefused) return err(thrown.data);
    options.signal.throwIfAborted();
    if (thrown instanceof DeadlineExceeded) return err({ kind: 'timed-out', ms: timeoutMs });
    throw thrown;
  }
}

interface Reading {
  readonly send: ReturnType<typeof guardedFetch>;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function follow(
  start: URL,
  { send, headers, signal }: Reading,
): Promise<Result<PageAnswer, PageProblem>> {
  let url = start;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await send(url, { headers, signal, redirect: 'manual' });
    const target = redirectTarget(response, url);
    if (target === undefined) {
      const { status } = response;
      const contentType = response.headers.get('content-type') ?? '';
      return ok({ url, status, contentType, bytes: new Uint8Array(await response.arrayBuffer()) });
    }
    if (target.origin !== start.origin) return err({ kind: 'other-origin', to: target });
    url = target;
  }
  return err({ kind: 'redirected', why: 'too-often' });
}
