// An embedder reached over HTTP: sends texts in batches, limits the time, and tries again if the server asks for it.
// Texts go to the address in the settings and nowhere else.

import { createHash } from 'node:crypto';
import {
  backoffDelay,
  type BackoffPolicy,
  type Clock,
  CodedError,
  deadline,
  DeadlineExceeded,
  delay,
  never,
  type Random,
  Semaphore,
  shared,
} from '@plugboard/base';
import { requestJson, type RequestOutcome } from '../platform/index.ts';
import type { Embedder } from './embedder.ts';
import { judgeAnswer, type ReadVectors } from './remote-answer.ts';

/** One kind of server: its address, the form of its requests and of its answers. */
export interface RemoteApi {
  readonly kind: string;
  readonly url: string;
  readonly model: string;
  readonly bodyOf: (texts: readonly string[]) => object;
  readonly readVectors: ReadVectors;
  readonly missingModel: string;
  /** Called before each request; `undefined` means that no key is sent. */
  readonly apiKey: () => string | undefined;
}

export interface RemotePorts {
  readonly clock: Clock;
  readonly random: Random;
}

interface Patience extends BackoffPolicy {
  readonly timeoutMs: number;
  /** The embedder gives up if a server asks to wait longer. */
  readonly longestWaitMs: number;
}

type Purpose = 'query' | 'document';

const PATIENCE: Readonly<Record<Purpose, Patience>> = {
  // The user waits for the answer to a query.
  query: { timeoutMs: 15_000, firstMs: 250, maxMs: 2_000, maxAttempts: 2, longestWaitMs: 3_000 },
  document: {
    timeoutMs: 60_000,
    firstMs: 500,
    maxMs: 30_000,
    maxAttempts: 5,
    longestWaitMs: 90_000,
  },
};
const MOST_TEXTS = 64;
const MOST_CHARACTERS = 200_000;
/** In characters; any model cuts a text long before. */
const LONGEST_TEXT = 32_000;
const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
const MOST_REQUESTS = 4;

export class RemoteEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly pace = 'later';
  readonly #api: RemoteApi;
  readonly #ports: RemotePorts;
  readonly #closing = new AbortController();
  readonly #requests = new Semaphore(MOST_REQUESTS);

  constructor(api: RemoteApi, ports: RemotePorts, dimensions: number) {
    this.#api = api;
    this.#ports = ports;
    this.dimensions = dimensions;
    const key = JSON.stringify([api.kind, api.url, api.model, dimensions]);
    this.id = `${api.kind}-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
    shared(this.#closing.signal);
  }

  async embedQuery(text: string, signal: AbortSignal = never): Promise<Float32Array> {
    const [vector] = await this.#embed('query', [text], signal);
    return vector ?? new Float32Array(this.dimensions);
  }

  async embedDocuments(
    texts: readonly string[],
    signal: AbortSignal = never,
  ): Promise<readonly Float32Array[]> {
    // If one request fails, the others are useless.
    const failing = new AbortController();
    const together = shared(AbortSignal.any([signal, failing.signal]));
    const vectors = batchesOf(texts).map((batch) =>
      this.#requests
        .run(together, () => this.#embed('document', batch, together))
        .catch((thrown: unknown) => {
          failing.abort(thrown);
          throw thrown;
        }),
    );
    return (await Promise.all(vectors)).flat();
  }

  async close(): Promise<void> {
    this.#closing.abort(new CodedError('embedder-closed', 'the embedder was closed', { data: {} }));
  }

  async #embed(
    purpose: Purpose,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const all = AbortSignal.any([signal, this.#closing.signal]);
    const { dimensions } = this;
    return requestVectors({ api: this.#api, ports: this.#ports, purpose, dimensions }, texts, all);
  }
}

/** Embeds a short text to find out the length of vectors. */
export async function probeDimensions(
  api: RemoteApi,
  ports: RemotePorts,
  signal: AbortSignal,
): Promise<number> {
  const request = { api, ports, purpose: 'query', dimensions: undefined } as const;
  const [vector] = await requestVectors(request, ['dimensions'], signal);
  return vector?.length ?? 0;
}

interface EmbeddingRequest {
  readonly api: RemoteApi;
  readonly ports: RemotePorts;
  readonly purpose: Purpose;
  readonly dimensions: number | undefined;
}

async function requestVectors(
  { api, ports, purpose, dimensions }: EmbeddingRequest,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const { clock, random } = ports;
  const patience = PATIENCE[purpose];
  const { readVectors, missingModel } = api;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await postOnce({ api, ports, timeoutMs: patience.timeoutMs }, texts, signal);
    const now = clock.now();
    const expected = { texts: texts.length, dimensions, readVectors, missingModel, now };
    const verdict = judgeAnswer(outcome, expected);
    if (verdict.kind === 'vectors') return verdict.vectors;
    if (verdict.kind === 'failed') throw failure(verdict.problem);
    const backoff = backoffDelay(attempt, patience, random);
    const waitMs = Math.max(backoff ?? 0, verdict.waitMs ?? 0);
    if (backoff === undefined || waitMs > patience.longestWaitMs) throw failure(verdict.problem);
    await delay(waitMs, clock, signal);
  }
}

async function postOnce(
  {
    api,
    ports,
    timeoutMs,
  }: { readonly api: RemoteApi; readonly ports: RemotePorts; readonly timeoutMs: number },
  texts: readonly string[],
  signal: AbortSignal,
): Promise<RequestOutcome> {
  const key = api.apiKey();
  using limit = deadline(timeoutMs, ports.clock, signal);
  const headers: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${key}` };
  const body = JSON.stringify(api.bodyOf(texts.map((text) => text.slice(0, LONGEST_TEXT))));
  try {
    return await requestJson(
      { method: 'POST', url: api.url, headers, body, maxBytes: MOST_ANSWER_BYTES },
      limit.signal,
    );
  } catch (thrown) {
    if (!(thrown instanceof DeadlineExceeded)) throw thrown;
    throw failure(`the server at embedder.url did not answer within ${timeoutMs} ms`);
  }
}

function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const length = Math.min(text.length, LONGEST_TEXT);
    const current = batches.at(-1);
    if (current === undefined || current.length === MOST_TEXTS || length > room) {
      batches.push([text]);
      room = MOST_CHARACTERS - length;
    } else {
      current.push(text);
      room -= length;
    }
  }
  return batches;
}

function failure(problem: string): CodedError {
  return new CodedError('embedder-failed', problem, { data: {} });
}
