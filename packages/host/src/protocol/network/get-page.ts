// Fetches a page of the public web from an address that a model chose, within limits of size and time. Follows redirects
// within the origin, each checked like the address itself; a redirect to another origin is returned to the caller, since
// permission was given for this origin only. The caller interprets the bytes.

import { type Clock, deadline, DeadlineExceeded, err, ok, type Result } from '@plugboard/base';
import { type HostEnvironment, networkSettings } from '../../platform/index.ts';
import { type FetchProblem, FetchRefused } from './fetch-refused.ts';
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';
import { redirectTarget } from './redirect-target.ts';

export interface GetPageOptions extends Pick<GuardedFetchOptions, 'resolve' | 'dial'> {
  /** Configures the proxies. */
  readonly environment: Pick<HostEnvironment, 'env' | 'cwd'>;
  readonly headers: Readonly<Record<string, string>>;
  /** After decompression. */
  readonly maxBytes: number;
  /** For the whole fetch: resolving, connecting, redirects and the page. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A complete answer of any status. */
export interface PageAnswer {
  /** The address after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type PageProblem =
  | FetchProblem
  /** It redirects to another origin, to which no request was sent. */
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
    clock,
    timeoutMs,
    maxBytes,
    resolve,
    dial,
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

interface PageRequest {
  readonly send: ReturnType<typeof guardedFetch>;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function follow(
  start: URL,
  { send, headers, signal }: PageRequest,
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
