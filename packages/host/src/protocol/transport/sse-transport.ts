// The SDK's HTTP+SSE transport over our own fetch. The stream is the session: when it ends, the connection ends, because
// the server forgets the session and the stream cannot be resumed.

import { type JSONRPCMessage, SSEClientTransport } from '@modelcontextprotocol/client';
import type { Clock } from '@plugboard/base';
import { AnswerPosts } from './answer-posts.ts';
import { AnswerTexts } from '../frame/answer-texts.ts';
import { authorizedFetch } from './authorized-fetch.ts';
import { classifyingFetch } from './classifying-fetch.ts';
import type { EventWatch, StreamEnd } from './event-guard.ts';
import { failedAnswer } from '../frame/failed-answer.ts';
import { FailureError, type ProtocolFailure } from '../neutral/failure.ts';
import type { RemoteLaunch } from '../neutral/launch.ts';
import { type Network, networkOf } from '../network/network.ts';
import { networkCodeOf } from '../network/network-code.ts';
import { idOfOversizeAnswer } from '../frame/read-frame.ts';
import { shownUrl } from '../network/shown-url.ts';

export function sseTransport(launch: RemoteLaunch, clock: Clock): SseTransport {
  const network = networkOf(launch.network);
  const url = shownUrl(launch);
  const texts = new AnswerTexts();
  const watched = classifyingFetch(authorizedFetch(network.fetch, launch), {
    url,
    texts,
    eventsOf: () => transport.events,
    onRefusal(status) {
      throw new FailureError({ kind: 'http', url, status });
    },
  });
  const fetch: typeof watched = async (input, init) => {
    // The SDK tries to resume an ended stream; this one cannot be resumed.
    if (transport.end !== undefined) throw new FailureError(transport.end);
    try {
      return await watched(input, init);
    } catch (thrown) {
      // The SDK does not report the error of opening the stream.
      if (thrown instanceof FailureError && init?.method !== 'POST') transport.fail(thrown.failure);
      throw thrown;
    }
  };
  const transport = new SseTransport(launch, { url, network, fetch, clock, texts });
  return transport;
}

interface SseParts {
  readonly url: string;
  readonly network: Network;
  readonly fetch: Network['fetch'];
  readonly clock: Clock;
  readonly texts: AnswerTexts;
}

export class SseTransport extends SSEClientTransport {
  readonly events: EventWatch;
  readonly texts: AnswerTexts;
  readonly #network: Network;
  readonly #answers: AnswerPosts;
  readonly #failed: Promise<never>;
  #reject: (reason: FailureError) => void = () => {};
  #end: ProtocolFailure | undefined;
  #closing: Promise<void> | undefined;

  constructor(launch: RemoteLaunch, { url, network, fetch, clock, texts }: SseParts) {
    super(new URL(launch.url), { requestInit: { headers: launch.headers }, fetch });
    this.#network = network;
    this.texts = texts;
    const answers = new AnswerPosts({ clock, giveUp: (failure) => this.fail(failure) });
    this.#answers = answers;
    this.#failed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Only a caller of `start` needs this rejection.
    this.#failed.catch(() => {});
    this.events = {
      get reading() {
        return answers.reading;
      },
      onRefused: (failure, edges) => {
        const id = idOfOversizeAnswer(edges);
        if (id === undefined) this.onerror?.(new FailureError(failure));
        else this.onmessage?.(failedAnswer(id, failure));
      },
      onMessage: ({ message, text }) => texts.note(message, text),
      onEnd: ({ thrown }: StreamEnd) =>
        this.fail(
          thrown === undefined
            ? { kind: 'closed' }
            : { kind: 'unreachable', url, code: networkCodeOf(thrown) },
        ),
    };
  }

  /** Why the connection ended, once it has. */
  get end(): ProtocolFailure | undefined {
    return this.#end;
  }

  fail(failure: ProtocolFailure): void {
    this.#end ??= failure;
    void this.close();
  }

  override start(): Promise<void> {
    // Without this, `start` of the SDK would wait for the endpoint event even after the transport was closed.
    return Promise.race([super.start(), this.#failed]);
  }

  override send(message: JSONRPCMessage): Promise<void> {
    const post = (): Promise<void> => super.send(message);
    return 'method' in message ? post() : this.#answers.send(message, post);
  }

  override close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.#end ??= { kind: 'closed' };
    this.#reject(new FailureError(this.#end));
    this.#answers.close();
    await super.close();
    await this.#network.close();
  }
}
