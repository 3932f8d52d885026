// The network for providers: follows no redirect, since keys in custom headers would be sent along, and limits the size of
// answers.

import { CodedError } from '@plugboard/base';

export type Fetch = typeof globalThis.fetch;

export class AnswerTooLong extends CodedError<'answer-too-long', { readonly limit: number }> {
  constructor(limit: number) {
    super('answer-too-long', `the answer is longer than ${limit} bytes`, { data: { limit } });
  }
}

/** Far above any real answer: events are many times as long as the words in them. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

export function boundedFetch(fetch: Fetch, limit = MAX_ANSWER_BYTES): Fetch {
  return async (input, init) => {
    const answer = await fetch(input, { ...init, redirect: 'error' });
    if (answer.body === null) return answer;
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(counted(limit)), { status, statusText, headers });
  };
}

function counted(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > limit) controller.error(new AnswerTooLong(limit));
      else controller.enqueue(chunk);
    },
  });
}
