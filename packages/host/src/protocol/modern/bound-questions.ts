// A modern server asks for input by a result that holds its requests. The SDK answers all of them at once, at a price of
// kilobytes each, so that one message of many requests would take all memory: a result with too many of them is an error.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '@plugboard/base';
import { failedAnswer } from '../frame/failed-answer.ts';
import { MAX_QUESTIONS } from '../frame/limits.ts';

/** Changes the message in place, before the SDK reads it. */
export function boundQuestions(message: JSONRPCMessage): void {
  if (!('result' in message) || !asksTooMuch(message.result['inputRequests'])) return;
  const failure = { kind: 'invalid-result', detail: TOO_MANY_QUESTIONS } as const;
  const answer = failedAnswer(message.id, failure);
  Reflect.deleteProperty(message, 'result');
  Object.assign(message, answer);
}

export function asksTooMuch(requests: unknown): boolean {
  return isObject(requests) && Object.keys(requests).length > MAX_QUESTIONS;
}

export const TOO_MANY_QUESTIONS = `it asks for input more than ${MAX_QUESTIONS} times at once`;
