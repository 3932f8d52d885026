// Turns the answer of a remote embedder into vectors, another attempt, or a failure that names the setting to check. Pure.
// Text from the server is never repeated, since it may contain the key.

import type { RequestOutcome } from '../platform/index.ts';
import { isObject, parseJson } from '@plugboard/base';

/** Finds the vectors in an answer: one for each text, in the same order. */
export type ReadVectors = (body: unknown) => readonly unknown[] | undefined;

export interface ExpectedAnswer {
  readonly texts: number;
  /** `undefined` if they are not known yet. */
  readonly dimensions: number | undefined;
  readonly readVectors: ReadVectors;
  /** What to do if the model does not exist. */
  readonly missingModel: string;
  readonly now: number;
}

export type RemoteVerdict =
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  /** `waitMs` is how long the server asks to wait, if it does. */
  | { readonly kind: 'again'; readonly problem: string; readonly waitMs: number | undefined }
  | { readonly kind: 'failed'; readonly problem: string };

const failed = (problem: string): RemoteVerdict => ({ kind: 'failed', problem });

export function judgeAnswer(outcome: RequestOutcome, expected: ExpectedAnswer): RemoteVerdict {
  switch (outcome.kind) {
    case 'unreachable':
      return {
        kind: 'again',
        problem: `embedder.url cannot be reached (${outcome.code})`,
        waitMs: undefined,
      };
    case 'too-large':
      return failed(`embedder.url answers with more than ${outcome.limit} bytes`);
    case 'answered':
      return judgeStatus(outcome, expected);
    default:
      return outcome satisfies never;
  }
}

function judgeStatus(
  { status, retryAfter, body }: Extract<RequestOutcome, { kind: 'answered' }>,
  expected: ExpectedAnswer,
): RemoteVerdict {
  if (status >= 200 && status < 300) return readBody(body, expected);
  if (status >= 300 && status < 400) {
    return failed(
      `embedder.url answers with a redirect (${status}), which is not followed; fix: give the address it leads to`,
    );
  }
  if (status === 429 || status >= 500) {
    const problem = status === 429 ? 'wants fewer requests (429)' : `has a problem (${status})`;
    const waitMs = retryAfterMs(retryAfter, expected.now);
    return { kind: 'again', problem: `the server at embedder.url ${problem}`, waitMs };
  }
  return failed(refusal(status, expected));
}

function refusal(status: number, { missingModel }: ExpectedAnswer): string {
  if (status === 401 || status === 403) {
    return `the server at embedder.url refuses the key (${status}); fix: check the variable that embedder.apiKeyVariable names`;
  }
  if (status === 404) {
    return `embedder.url or embedder.model is not known there (404); fix: ${missingModel}`;
  }
  return `the server at embedder.url refuses the request (${status}); fix: check embedder.model and embedder.dimensions`;
}

function readBody(body: string, expected: ExpectedAnswer): RemoteVerdict {
  const parsed = parseJson(body, { maxLength: Number.MAX_SAFE_INTEGER, maxDepth: 16 });
  const listed = parsed.ok ? expected.readVectors(parsed.value) : undefined;
  if (listed === undefined) {
    return failed(
      'embedder.url does not answer as a server for embeddings does; fix: check embedder.url',
    );
  }
  if (listed.length !== expected.texts) {
    return failed(`embedder.url answers with ${listed.length} vectors for ${expected.texts} texts`);
  }
  const vectors: Float32Array[] = [];
  const wanted = expected.dimensions ?? sizeOf(listed[0]);
  for (const item of listed) {
    const vector = vectorOf(item);
    if (vector === undefined)
      return failed('embedder.url answers with something that is not a vector');
    if (vector.length !== wanted) {
      return failed(
        `embedder.model gives vectors of ${vector.length} dimensions instead of ${wanted}; fix: set embedder.dimensions to what the model gives`,
      );
    }
    vectors.push(vector);
  }
  return { kind: 'vectors', vectors };
}

function sizeOf(item: unknown): number {
  return Array.isArray(item) ? item.length : 0;
}

/** The item as a vector of length one; `undefined` if it has no direction to compare. */
function vectorOf(item: unknown): Float32Array | undefined {
  if (!Array.isArray(item) || !item.every((value) => typeof value === 'number')) return undefined;
  const vector = Float32Array.from(item);
  return makeUnit(vector) ? vector : undefined;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** `{ data: [{ index, embedding }] }` */
export const openAiVectors: ReadVectors = (body) => {
  const data = isObject(body) ? body['data'] : undefined;
  if (!Array.isArray(data)) return undefined;
  const vectors: unknown[] = [];
  data.forEach((item: unknown, place) => {
    if (!isObject(item)) return;
    const { index = place, embedding } = item;
    // An index beyond the list would leave holes in it.
    if (Number.isInteger(index) && Number(index) >= 0 && Number(index) < data.length) {
      vectors[Number(index)] = embedding;
    }
  });
  return Array.from({ length: data.length }, (_, place) => vectors[place]);
};

/** `{ embeddings: [[…]] }` */
export const ollamaVectors: ReadVectors = (body) => {
  const embeddings = isObject(body) ? body['embeddings'] : undefined;
  return Array.isArray(embeddings) ? embeddings : undefined;
};

/** Scales a vector to length one, in place. False if it has no direction: it is all zeros, or contains a NaN. */
function makeUnit(vector: Float32Array): boolean {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) return false;
  for (let index = 0; index < vector.length; index += 1) {
    vector[index] = (vector[index] ?? 0) / length;
  }
  return true;
}
