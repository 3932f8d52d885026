// A modern server requests input by a result that contains its requests. The SDK handles all of them at once, with
// kilobytes of memory for each, so one message with very many requests would exhaust the memory. A result with too many
// requests is therefore an error.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '@plugboard/base';
import { failedAnswer } from '../frame/failed-answer.ts';
import { MAX_QUESTIONS } from '../frame/limits.ts';

/** Changes the message in place, before the SDK reads it. */
export function boundQuestions(message: JSONRPCMessage): void {
  if (!('result' in message) || !hasTooManyQuestions(message.result['inputRequests'])) return;
  const failure = { kind: 'invalid-result', detail: TOO_MANY_QUESTIONS } as const;
  const answer = failedAnswer(message.id, failure);
  Reflect.deleteProperty(message, 'result');
  Object.assign(message, answer);
}

export function hasTooManyQuestions(requests: unknown): boolean {
  return isObject(requests) && Object.keys(requests).length > MAX_QUESTIONS;
}

export const TOO_MANY_QUESTIONS = `it asks for input more than ${MAX_QUESTIONS} times at once`;
