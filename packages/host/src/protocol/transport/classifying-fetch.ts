// A fetch for the SDK's transports that turns network errors and unexpected answers into failures while their cause is
// still known, and limits all bodies.

import type { FetchLike } from '@modelcontextprotocol/client';
import type { AnswerTexts } from '../frame/answer-texts.ts';
import { guardJson, headOf } from './body-guard.ts';
import { type EventWatch, guardEvents } from './event-guard.ts';
import { MAX_MESSAGE_BYTES } from '../frame/limits.ts';
import { FailureError, firstWords, type ProtocolFailure } from '../neutral/failure.ts';
import { networkCodeOf } from '../network/network-code.ts';

const MAX_ERROR_BYTES = 64 * 1024;

export interface FetchWatch {
  /** The server's address as it may be shown. */
  readonly url: string;
  readonly texts: AnswerTexts;
  /** Returns the watcher of the event stream that answers this request. */
  eventsOf(request: RequestInit | undefined): EventWatch;
  /** Called when a request did not reach the server, or did. */
  onUnreached?(request: RequestInit | undefined, failure: ProtocolFailure): void;
  onReached?(request: RequestInit | undefined): void;
  /** Called when the server refused a request, with the beginning of the body. */
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
      // The SDK decides whether to follow the redirect; its body is not needed.
      await response.body?.cancel();
      return response;
    }
    const body = response.body === null ? '' : await headOf(response.body, MAX_ERROR_BYTES);
    watch.onRefusal(response.status, body);
    return new Response(body, initOf(response));
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
  return new Response(body, initOf(response));
}

function initOf({ status, statusText, headers }: Response): ResponseInit {
  return { status, statusText, headers: [...headers] };
}
