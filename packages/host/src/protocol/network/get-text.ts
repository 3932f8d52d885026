// Fetches a text within limits of size and time. Headers may contain credentials, so they are sent to the given origin
// only. The caller interprets the text.

import {
  abortable,
  type Clock,
  deadline,
  DeadlineExceeded,
  err,
  ok,
  type Result,
} from '@plugboard/base';
import type { NetworkSettings } from '../../platform/index.ts';
import { networkCodeOf } from './network-code.ts';
import { type Network, networkOf } from './network.ts';
import { readAtMost } from './read-at-most.ts';
import { redirectTarget } from './redirect-target.ts';

export interface GetTextOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly network: NetworkSettings | undefined;
  readonly maxBytes: number;
  /** For the whole fetch: connecting, redirects and the text. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A complete answer of any status. */
export interface TextAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export type GetTextProblem =
  | { readonly kind: 'unreachable'; readonly code: string }
  | { readonly kind: 'timed-out'; readonly ms: number }
  /** It redirects to another origin, or too often; then there is no `origin`. */
  | { readonly kind: 'redirected'; readonly origin?: string }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'not-text' };

const MOST_REDIRECTS = 5;

/** Rejects only with the reason of the signal. Headers must be names and values that HTTP allows. */
export async function getText(
  url: URL,
  options: GetTextOptions,
): Promise<Result<TextAnswer, GetTextProblem>> {
  const { timeoutMs, clock, signal } = options;
  using limit = deadline(timeoutMs, clock, signal);
  const network = networkOf(options.network);
  try {
    const answer = follow(url, network, { ...options, signal: limit.signal });
    return await abortable(answer, limit.signal);
  } catch (thrown) {
    if (limit.signal.reason instanceof DeadlineExceeded) {
      return err({ kind: 'timed-out', ms: timeoutMs });
    }
    signal.throwIfAborted();
    return err({ kind: 'unreachable', code: networkCodeOf(thrown) });
  } finally {
    await network.close();
  }
}

type Bounds = Pick<GetTextOptions, 'headers' | 'maxBytes' | 'signal'>;

async function follow(
  start: URL,
  network: Network,
  { headers, maxBytes, signal }: Bounds,
): Promise<Result<TextAnswer, GetTextProblem>> {
  let url = start;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await network.fetch(url, { headers, signal, redirect: 'manual' });
    const target = redirectTarget(response, url);
    if (target === undefined) return readAnswer(response, maxBytes);
    await response.body?.cancel();
    if (target.origin !== start.origin) return err({ kind: 'redirected', origin: target.origin });
    url = target;
  }
  return err({ kind: 'redirected' });
}

async function readAnswer(
  { status, headers, body }: Response,
  maxBytes: number,
): Promise<Result<TextAnswer, GetTextProblem>> {
  const bytes = await readAtMost(body, maxBytes);
  if (bytes === undefined) return err({ kind: 'too-large', limit: maxBytes });
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return ok({ status, contentType: headers.get('content-type') ?? '', text });
  } catch {
    // The bytes are not UTF-8.
    return err({ kind: 'not-text' });
  }
}
