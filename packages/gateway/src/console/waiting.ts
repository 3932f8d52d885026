// Routes for a person's answer to a pending approval or question, and for past answers.

import { isObject, type Json } from '@plugboard/base';
import type { WaitingAnswer } from '../console-api.ts';
import type { Desk } from '../client/index.ts';
import { type ApiAnswer, type ApiRequest, DONE, refused, type Route } from './route.ts';

const REMEMBER = ['once', 'script', 'session', 'always'] as const;

export function waitingRoutes(desk: Desk): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/answered',
      answer: ({ reader }) => ({ kind: 'json', body: desk.answeredFor(reader) }),
    },
    {
      method: 'POST',
      path: '/waiting/*',
      answer: (request) => answerWaiting(desk, request),
    },
  ];
}

function answerWaiting(desk: Desk, { parts, body, reader }: ApiRequest): ApiAnswer {
  const answer = readAnswer(body);
  if (answer === undefined) return refused(400, 'This is not a valid answer');
  const answered = desk.answer(parts[0] ?? '', answer, reader);
  switch (answered.kind) {
    case 'answered':
      return DONE;
    case 'gone':
      return refused(404, 'It was already answered, or withdrawn');
    case 'unfit':
      return refused(409, answered.reason);
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
