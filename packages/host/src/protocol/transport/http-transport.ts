// The SDK's Streamable HTTP transport over our own fetch. The fetch limits what a server sends, and a request whose stream
// ends without its answer fails at once instead of at its deadline.

import {
  type JSONRPCMessage,
  type StreamableHTTPClientTransportOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { type Clock, isObject, parseJson } from '@plugboard/base';
import { AnswerPosts } from './answer-posts.ts';
import { AnswerTexts } from '../frame/answer-texts.ts';
import { authorizedFetch } from './authorized-fetch.ts';
import { classifyingFetch } from './classifying-fetch.ts';
import type { Edges, EventWatch, StreamEnd } from './event-guard.ts';
import { failedAnswer, type RequestId } from '../frame/failed-answer.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';
import type { RemoteLaunch } from '../neutral/launch.ts';
import { type Network, networkOf } from '../network/network.ts';
import { networkCodeOf } from '../network/network-code.ts';
import { NO_LIMITS } from '../frame/limits.ts';
import { idOfOversizeAnswer } from '../frame/read-frame.ts';
import { isResumption, ResumptionWatch } from './resumption-watch.ts';
import { shownUrl } from '../network/shown-url.ts';
import { isModernRefusal, type EraEvidence } from './sse-fallback.ts';

export interface HttpLink {
  readonly transport: HttpTransport;
  readonly seen: EraEvidence;
}

export function httpLink(launch: RemoteLaunch, clock: Clock): HttpLink {
  const network = networkOf(launch.network);
  const url = shownUrl(launch);
  const seen = { isModern: false };
  const texts = new AnswerTexts();
  const deliver: DeliverMessage = (message) => transport.onmessage?.(message);
  const resumption = new ResumptionWatch((id, failure) => deliver(failedAnswer(id, failure)));
  const watched = classifyingFetch(authorizedFetch(network.fetch, launch), {
    url,
    texts,
    eventsOf: (request) =>
      eventWatch(request, { url, deliver, resumption, texts, answers: transport.answers }),
    onUnreached: (request, failure) => {
      if (isResumption(request)) resumption.unreached(failure);
    },
    onReached: (request) => {
      if (isResumption(request)) resumption.resumed();
    },
    onRefusal: (status, body) => void (seen.isModern ||= isModernRefusal(status, body)),
  });
  const options = { requestInit: { headers: launch.headers }, fetch: watched };
  const transport = new HttpTransport(new URL(launch.url), options, { network, clock, texts });
  return { transport, seen };
}

class HttpTransport extends StreamableHTTPClientTransport {
  readonly answers: AnswerPosts;
  readonly texts: AnswerTexts;
  readonly #network: Network;
  #end: ProtocolFailure | undefined;

  constructor(
    url: URL,
    options: StreamableHTTPClientTransportOptions,
    ports: { readonly network: Network; readonly clock: Clock; readonly texts: AnswerTexts },
  ) {
    super(url, options);
    this.texts = ports.texts;
    this.#network = ports.network;
    this.answers = new AnswerPosts({
      clock: ports.clock,
      giveUp: (failure) => this.#fail(failure),
    });
  }

  /** Why the host ended the connection, if it did. */
  get end(): ProtocolFailure | undefined {
    return this.#end;
  }

  override send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: Parameters<StreamableHTTPClientTransport['send']>[1],
  ): Promise<void> {
    const post = (): Promise<void> => super.send(message, options);
    return Array.isArray(message) || 'method' in message
      ? post()
      : this.answers.send(message, post);
  }

  #fail(failure: ProtocolFailure): void {
    this.#end ??= failure;
    void this.close();
  }

  override async close(): Promise<void> {
    this.answers.close();
    await super.close();
    await this.#network.close();
  }
}

type DeliverMessage = (message: Parameters<NonNullable<Transport['onmessage']>>[0]) => void;

interface StreamPorts {
  readonly url: string;
  readonly deliver: DeliverMessage;
  readonly resumption: ResumptionWatch;
  readonly answers: AnswerPosts;
  readonly texts: AnswerTexts;
}

function eventWatch(
  request: RequestInit | undefined,
  { url, deliver, resumption, answers, texts }: StreamPorts,
): EventWatch {
  const fail = (id: RequestId | undefined, failure: ProtocolFailure): void => {
    if (id !== undefined) deliver(failedAnswer(id, failure));
  };
  return {
    get reading() {
      return answers.reading;
    },
    onRefused: (failure: ProtocolFailure, edges: Edges) =>
      fail(idOfOversizeAnswer(edges) ?? postedRequest(request)?.id, failure),
    onMessage: ({ message, text }) => texts.note(message, text),
    onEnd(end: StreamEnd) {
      if (end.mayHaveAnswered || request?.signal?.aborted === true) return;
      const sent = postedRequest(request);
      if (end.isResumable) {
        if (sent !== undefined) resumption.interrupted(sent.id);
        return;
      }
      // The SDK itself reports the end of a subscription.
      if (sent?.method !== 'subscriptions/listen') fail(sent?.id, endFailure(end, url));
    },
  };
}

function endFailure({ thrown }: StreamEnd, url: string): ProtocolFailure {
  return thrown === undefined
    ? { kind: 'invalid-result', detail: 'the stream ended before the answer' }
    : { kind: 'unreachable', url, code: networkCodeOf(thrown) };
}

/** The posted request; `undefined` for a stream that was opened without one. */
function postedRequest(
  request: RequestInit | undefined,
): { readonly id: RequestId; readonly method: unknown } | undefined {
  if (typeof request?.body !== 'string') return undefined;
  const parsed = parseJson(request.body, NO_LIMITS);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { id, method } = parsed.value;
  return typeof id === 'number' || typeof id === 'string' ? { id, method } : undefined;
}
