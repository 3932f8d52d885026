// A client for the REST API of Qdrant: tries the next server of the cluster if one does not answer, and reports the reasons
// if none does.

import {
  type Clock,
  CodedError,
  deadline,
  DeadlineExceeded,
  isObject,
  never,
} from '@plugboard/base';
import type { RequestJson } from '../../platform/index.ts';

export interface QdrantServers {
  readonly urls: readonly string[];
  readonly apiKey: () => string | undefined;
  readonly request: RequestJson;
  readonly clock: Clock;
  /** The timeout for one server. */
  readonly answerMs?: number;
}

export interface QdrantCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The path with the query string. */
  readonly path: string;
  readonly body?: unknown;
}

export type QdrantAnswer =
  | { readonly kind: 'done'; readonly result: unknown }
  /** The server refused the request. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string };

const MOST_BYTES = 256 * 1024 * 1024;
const ANSWER_MS = 15_000;
/** How many times all servers are tried: a server that has just lost a neighbour needs a moment. */
const ROUNDS = 3;
const PAUSE_MS = 300;

export class QdrantApi {
  readonly #servers: QdrantServers;
  /** The index of the server that answered last. */
  #current = 0;

  constructor(servers: QdrantServers) {
    this.#servers = servers;
  }

  /** Throws `qdrant-unreachable` if no server answers. */
  async ask(call: QdrantCall): Promise<QdrantAnswer> {
    const { urls, clock } = this.#servers;
    const failures = new Set<string>();
    for (let attempt = 0; attempt < urls.length * ROUNDS; attempt += 1) {
      if (attempt > 0 && attempt % urls.length === 0) {
        await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
      }
      const answer = await this.#askOne(call);
      if (typeof answer !== 'string') return answer;
      failures.add(`${urls[this.#current] ?? ''}: ${answer}`);
      this.#current = (this.#current + 1) % urls.length;
    }
    const message = `Qdrant does not answer (${[...failures].join('; ')})`;
    throw new CodedError('qdrant-unreachable', message, { data: { urls } });
  }

  /** Returns the result; throws `qdrant-refused` if the server refuses the request. */
  async result(call: QdrantCall): Promise<unknown> {
    const answer = await this.ask(call);
    if (answer.kind === 'done') return answer.result;
    const { status, message } = answer;
    throw new CodedError('qdrant-refused', `Qdrant refused ${call.path} (${status}): ${message}`, {
      data: { status },
    });
  }

  /** Returns a reason if another server should be tried. */
  async #askOne(call: QdrantCall): Promise<QdrantAnswer | string> {
    const { urls, apiKey, request, clock, answerMs = ANSWER_MS } = this.#servers;
    const key = apiKey();
    using limit = deadline(answerMs, clock, never);
    try {
      const outcome = await request(
        {
          method: call.method,
          url: `${urls[this.#current] ?? ''}${call.path}`,
          headers: key === undefined ? {} : { 'api-key': key },
          ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
          maxBytes: MOST_BYTES,
        },
        limit.signal,
      );
      if (outcome.kind === 'unreachable') return outcome.code;
      if (outcome.kind === 'too-large') return `more than ${outcome.limit} bytes`;
      return judge(outcome.status, outcome.body);
    } catch (thrown) {
      if (!(limit.signal.reason instanceof DeadlineExceeded)) throw thrown;
      return `no answer within ${answerMs} ms`;
    }
  }
}

function judge(status: number, body: string): QdrantAnswer | string {
  const answer = parsed(body);
  if (status >= 200 && status < 300 && isObject(answer))
    return { kind: 'done', result: answer['result'] };
  const message = errorIn(answer) ?? `status ${status}`;
  // A server that has lost its neighbours answers with 5xx; another one may succeed.
  return status >= 400 && status < 500 ? { kind: 'refused', status, message } : message;
}

function errorIn(answer: unknown): string | undefined {
  const status = isObject(answer) ? answer['status'] : undefined;
  const error = isObject(status) ? status['error'] : undefined;
  return typeof error === 'string' ? error.slice(0, 300) : undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // Perhaps from a proxy; the status tells enough.
    return undefined;
  }
}
