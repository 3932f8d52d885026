// Passes a server's questions to the host's answerer: those that it sends as requests, those in place of a result, and
// the pages that a legacy server requires to be visited before it answers a request. The port checks questions and
// answers.

import type { RequestOptions as SdkRequestOptions } from '@modelcontextprotocol/client';
import { type Clock, isObject, type JsonObject, never, type Result } from '@plugboard/base';
import type { Answer, Question, UrlQuestion } from './neutral/elicitation.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import { INBOUND_REQUESTS, type InboundPort } from './neutral/inbound-requests.ts';
import type { Era } from './neutral/model.ts';
import { Patience } from './patience.ts';
import type { SessionClient } from './session-client.ts';

/** The error code of a legacy server that requires the user to visit pages first. */
const URL_ELICITATION_REQUIRED = -32_042;
/** How often one request is repeated after the user has visited pages. */
const MAX_ROUNDS = 3;
/** How many pages one refusal may name. */
const MAX_PAGES = 5;
/** The total time limit of a request that sets none, however long the user takes. */
const LONGEST_MS = 60 * 60_000;

export type TimedOptions = SdkRequestOptions & {
  readonly signal: AbortSignal;
  readonly timeout: number;
};

interface QuestionPorts {
  readonly elicit: NonNullable<InboundPort['elicit']>;
  readonly clock: Clock;
  era(): Era;
}

export class Questions {
  readonly #ports: QuestionPorts;
  readonly #patience: Patience;
  /** Whether the client itself can pause the time limits of its requests. */
  #hasOwnLimits = false;
  /** Visits in progress, by the id that the server chose. */
  readonly #visits = new Map<string, AbortController>();

  constructor(ports: QuestionPorts) {
    this.#ports = ports;
    this.#patience = new Patience(ports.clock);
  }

  /** Registers the answerer. The client must declare the matching capabilities. */
  register(client: SessionClient): void {
    this.#hasOwnLimits = client.limits !== undefined;
    if (client.limits !== undefined) this.#patience.add(client.limits);
    const { method } = INBOUND_REQUESTS.elicit;
    client.setRequestHandler(method, async ({ params }, { mcpReq: { signal } }) => {
      if ('requestedSchema' in params) {
        const schema = params.requestedSchema as unknown as JsonObject;
        const question: Question = { kind: 'form', message: params.message, schema };
        return toWire(question, await this.#ask(question, { signal, id: undefined }));
      }
      const { message, url } = params;
      const isModern = this.#ports.era() === 'modern';
      const waitsFor = isModern ? 'done' : 'consent';
      const question: Question = { kind: 'url', message, url, waitsFor };
      return toWire(question, await this.#ask(question, { signal, id: idOf(params) }));
    });
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      this.#visits.get(params.elicitationId)?.abort(),
    );
  }

  /** Sends a request. Its time limits are paused while the user answers questions. */
  async send<T>(
    options: TimedOptions,
    send: (options: TimedOptions) => Promise<Result<T, ProtocolFailure>>,
  ): Promise<Result<T, ProtocolFailure>> {
    if (this.#hasOwnLimits) return await this.#sendWithPages(options.signal, () => send(options));
    const { onprogress, maxTotalTimeout: timeout = LONGEST_MS } = options;
    using waiting = this.#patience.begin(options.timeout, options.signal);
    const { signal } = waiting;
    const timed = { ...options, signal, timeout };
    if (onprogress !== undefined) {
      timed.onprogress = (progress) => {
        waiting.restart();
        onprogress(progress);
      };
    }
    return await this.#sendWithPages(signal, () => send(timed));
  }

  /** Sends a request. If the server requires pages to be visited first, asks the user and sends it again. */
  async #sendWithPages<T>(
    signal: AbortSignal,
    send: () => Promise<Result<T, ProtocolFailure>>,
  ): Promise<Result<T, ProtocolFailure>> {
    let response = await send();
    for (let round = 0; round < MAX_ROUNDS && !response.ok; round += 1) {
      const pages = pagesIn(response.error);
      if (pages === undefined || this.#ports.era() === 'modern') return response;
      for (const { id, question } of pages) {
        const answer = await this.#ask(question, { signal, id });
        if (answer.kind !== 'accept') return response;
      }
      response = await send();
    }
    return response;
  }

  async #ask(
    question: Question,
    { signal, id }: { readonly signal: AbortSignal; readonly id: string | undefined },
  ): Promise<Answer> {
    const ask = (finished: AbortSignal): Promise<Answer> =>
      this.#patience.pauseWhile(() => this.#ports.elicit(question, { signal, finished }));
    if (id === undefined) return ask(never);
    const visit = new AbortController();
    this.#visits.set(id, visit);
    try {
      return await ask(visit.signal);
    } finally {
      this.#visits.delete(id);
    }
  }
}

interface Page {
  readonly id: string | undefined;
  readonly question: UrlQuestion;
}

/** The pages that a legacy server requires to be visited, if it refused a request for that reason. */
function pagesIn(failure: ProtocolFailure): readonly Page[] | undefined {
  if (failure.kind !== 'rpc' || failure.code !== URL_ELICITATION_REQUIRED) {
    return undefined;
  }
  const listed = isObject(failure.data) ? failure.data['elicitations'] : undefined;
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > MAX_PAGES) return undefined;
  const pages = (listed as readonly unknown[]).flatMap((page) => pageOf(page) ?? []);
  return pages.length === listed.length ? pages : undefined;
}

function pageOf(raw: unknown): Page | undefined {
  if (!isObject(raw)) return undefined;
  const { message, url } = raw;
  if (typeof message !== 'string' || typeof url !== 'string') return undefined;
  return { id: idOf(raw), question: { kind: 'url', message, url, waitsFor: 'done' } };
}

/** The id of a page visit. Only legacy servers send one. */
function idOf(params: object): string | undefined {
  const id = 'elicitationId' in params ? params.elicitationId : undefined;
  return typeof id === 'string' ? id : undefined;
}

type WireAnswer =
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

function toWire(question: Question, answer: Answer): WireAnswer {
  if (answer.kind !== 'accept') return { action: answer.kind };
  if (question.kind === 'url') return { action: 'accept' };
  // The schema of a form allows only these types, and the SDK checks it again.
  const content = answer.content as Record<string, string>;
  return { action: 'accept', content: { ...content } };
}
