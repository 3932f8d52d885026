// A fetch for the SDK's transports which turns what the network and strange servers do into failures
// while it is still known what happened, and lets no body through without bounds.

import type { FetchLike } from '@modelcontextprotocol/client';
import type { AnswerTexts } from '../frame/answer-texts.ts';
import { guardJson, headOf } from './body-guard.ts';
import { type EventWatch, guardEvents } from './event-guard.ts';
import { MAX_MESSAGE_BYTES } from '../frame/limits.ts';
import { FailureError, firstWords, type ProtocolFailure } from '../neutral/failure.ts';
import { networkCodeOf } from '../network/network-code.ts';

const MAX_ERROR_BYTES = 64 * 1024;

export interface FetchWatch {
  /** Where the server is, as it may be shown. */
  readonly url: string;
  readonly texts: AnswerTexts;
  /** The watcher of the event stream that answers this request. */
  eventsOf(request: RequestInit | undefined): EventWatch;
  /** A request did not reach the server, or did. */
  onUnreached?(request: RequestInit | undefined, failure: ProtocolFailure): void;
  onReached?(request: RequestInit | undefined): void;
  /** The server refused a request; the beginning of what it said. */
  onRefusal(status: number, body: string): void;
}

export function classifyingFetch(send: FetchLike, watch: FetchWatch): FetchLike {
  const { url } = watch;
  return async (input, init) => {
    let response: Response;
    try {
      response = await send(input, init);
    } catch (thrown) {
      if (init?.signal?.aborted === true || thrown instanceof FailureError) throw thrown;
      const failure = { kind: 'unreachable', url, code: networkCodeOf(thrown) } as const;
      watch.onUnreached?.(init, failure);
      throw new FailureError(failure);
    }
    watch.onReached?.(init);
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      throw new FailureError({ kind: 'unauthorized', url, status: response.status });
    }
    if (response.ok) return bounded(response, init, watch);
    if (response.status < 400) {
      // The SDK decides whether to follow; what a redirect says beside its target is not needed.
      await response.body?.cancel();
      return response;
    }
    const said = response.body === null ? '' : await headOf(response.body, MAX_ERROR_BYTES);
    watch.onRefusal(response.status, said);
    return new Response(said, outsideOf(response));
  };
}

async function bounded(
  response: Response,
  request: RequestInit | undefined,
  watch: FetchWatch,
): Promise<Response> {
  const { url } = watch;
  const contentType = response.headers.get('content-type') ?? '';
  if (contentType.startsWith('text/html')) {
    await response.body?.cancel();
    throw new FailureError({ kind: 'not-mcp', url, contentType: firstWords(contentType) });
  }
  if (response.body === null) return response;
  const body = contentType.startsWith('text/event-stream')
    ? guardEvents(response.body, MAX_MESSAGE_BYTES, watch.eventsOf(request))
    : guardJson(response.body, { limit: MAX_MESSAGE_BYTES, url, texts: watch.texts });
  return new Response(body, outsideOf(response));
}

function outsideOf({ status, statusText, headers }: Response): ResponseInit {
  return { status, statusText, headers: [...headers] };
}
