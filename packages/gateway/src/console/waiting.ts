// A person's answer to what waits, as it comes over HTTP.

import { isObject, type Json } from '@plugboard/base';
import type { WaitingAnswer } from '../console-api.ts';
import type { Desk } from '../client/index.ts';
import type { ApiAnswer, ApiRequest } from './route.ts';

const REMEMBER = ['once', 'script', 'session', 'always'] as const;

export function answerWaiting(desk: Desk, { parts, body, reader }: ApiRequest): ApiAnswer {
  const answer = readAnswer(body);
  if (answer === undefined)
    return { kind: 'refused', status: 400, reason: 'This is not a valid answer' };
  const answered = desk.answer(parts[0] ?? '', answer, reader);
  switch (answered.kind) {
    case 'answered':
      return { kind: 'done' };
    case 'gone':
      return { kind: 'refused', status: 404, reason: 'It was already answered, or withdrawn' };
    case 'unfit':
      return { kind: 'refused', status: 409, reason: answered.reason };
    default:
      return answered satisfies never;
  }
}

function readAnswer(body: Json | undefined): WaitingAnswer | undefined {
  if (!isObject(body)) return undefined;
  const { kind, remember, content } = body;
  switch (kind) {
    case 'allow': {
      const known = REMEMBER.find((each) => each === remember);
      return known && { kind, remember: known };
    }
    case 'accept':
      if (content === undefined) return { kind };
      return isObject(content) ? { kind, content } : undefined;
    case 'deny':
    case 'decline':
    case 'cancel':
      return { kind };
    default:
      return undefined;
  }
}
