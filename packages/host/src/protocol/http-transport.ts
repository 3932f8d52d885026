// The SDK's Streamable HTTP transport behind a fetch of ours, which turns what the network and
// strange servers do into failures while it is still known what happened.

import { type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { codeOf, isObject } from '@plugboard/base';
import { FailureError } from './failure.ts';
import type { Launch } from './launch.ts';
import { MAX_LINE_BYTES } from './stdio-transport.ts';

export function httpTransport(
  launch: Launch & { readonly kind: 'http' },
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(launch.url), {
    requestInit: { headers: launch.headers },
    fetch: classifyingFetch(shownUrl(launch.url)),
  });
}

/** The address without what may be secret in it: credentials and the query. */
export function shownUrl(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}

function classifyingFetch(url: string): FetchLike {
  return async (input, init) => {
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (thrown) {
      if (init?.signal?.aborted === true) throw thrown;
      throw new FailureError({ kind: 'unreachable', url, code: networkCodeOf(thrown) });
    }
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      throw new FailureError({ kind: 'unauthorized', url, status: response.status });
    }
    return response.ok ? checkBody(response, url) : response;
  };
}

async function checkBody(response: Response, url: string): Promise<Response> {
  const contentType = response.headers.get('content-type') ?? '';
  if (contentType.startsWith('text/html')) {
    await response.body?.cancel();
    throw new FailureError({ kind: 'not-mcp', url, contentType });
  }
  if (!contentType.startsWith('application/json') || response.body === null) return response;
  return new Response(response.body.pipeThrough(boundedBytes(MAX_LINE_BYTES)), response);
}

function boundedBytes(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= limit) controller.enqueue(chunk);
      else controller.error(new FailureError({ kind: 'too-large', bytes, limit }));
    },
  });
}

/** Node hides the reason of a failed fetch one or more causes deep. */
function networkCodeOf(thrown: unknown): string {
  let current: unknown = thrown;
  for (let depth = 0; depth < 5 && isObject(current); depth += 1) {
    const code = codeOf(current);
    if (code !== undefined) return code;
    current =
      current instanceof AggregateError
        ? (current.errors as readonly unknown[])[0]
        : current['cause'];
  }
  return 'UNKNOWN';
}
