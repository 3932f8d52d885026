// Sends one JSON request to a service, and reads a bounded response. Redirects are not followed, so that the request goes
// to that address and no other. A failure is part of the result; the caller judges the status.

import { codeOf } from '@plugboard/base';

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The most bytes of the response. */
  readonly maxBytes: number;
}

export type RequestOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly body: string;
    }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'unreachable'; readonly code: string };

export type RequestJson = (request: JsonRequest, signal: AbortSignal) => Promise<RequestOutcome>;

/** Rejects only when `signal` aborts, with its reason. */
export const requestJson: RequestJson = async (request, signal) => {
  // A signal of its own, to close the connection if the response is too large.
  const hangUp = new AbortController();
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...request.headers,
      },
      ...(request.body !== undefined && { body: request.body }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, hangUp.signal]),
    });
    const body = await readUpTo(response.body, request.maxBytes);
    if (body === undefined) {
      hangUp.abort();
      return { kind: 'too-large', limit: request.maxBytes };
    }
    const retryAfter = response.headers.get('retry-after') ?? undefined;
    return { kind: 'answered', status: response.status, retryAfter, body };
  } catch (thrown) {
    signal.throwIfAborted();
    const cause = thrown instanceof Error ? thrown.cause : undefined;
    return { kind: 'unreachable', code: codeOf(cause) ?? codeOf(thrown) ?? 'UNKNOWN' };
  }
};

async function readUpTo(
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<string | undefined> {
  if (stream === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
