// Explains why a model did not answer, with the provider's message, and what to do. The advice differs between a chat and a
// command.

import type { ModelFailure } from '@plugboard/agent';
import { systemClock } from '@plugboard/base';

export type FailurePlace = 'chat' | 'run';

export interface FailureWords {
  readonly message: string;
  readonly fix: string;
}

export function modelFailureWords(failure: ModelFailure, where: FailurePlace): FailureWords {
  const { kind, message, retryAt } = failure;
  const what = WHAT[kind];
  const until = retryAt === undefined ? '' : `; the limit ends at ${clockTime(retryAt)}`;
  return {
    message: `${what === '' ? message : `${what}: ${message}`}${until}`,
    fix: retryAt === undefined ? FIXES[where][kind] : `try again at ${clockTime(retryAt)}`,
  };
}

/** In local time: 14:32:05, followed by the date unless it is today. */
export function clockTime(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString('en-GB');
  const isToday = date.toDateString() === new Date(systemClock.now()).toDateString();
  return isToday ? time : `${time} on ${date.toLocaleDateString('en-CA')}`;
}

type FailureTexts = Readonly<Record<ModelFailure['kind'], string>>;

const WHAT: FailureTexts = {
  'bad-key': 'the provider refused the key',
  'no-access': 'the key may not be used for this',
  'unknown-model': 'the provider does not know this model',
  'context-overflow': 'the conversation is too long for the model',
  overloaded: 'the provider is overloaded',
  'rate-limited': 'too many requests for the provider',
  'no-credit': 'the account of the key has no credit',
  unreachable: 'the provider could not be reached',
  'bad-request': 'the provider refused the request',
  'broken-answer': 'the answer was broken',
  cancelled: 'the answer was stopped',
  other: '',
};

const AGAIN = 'try again in a moment';
const SET_KEY = 'set the right key for the provider and start again';

const IN_RUN: FailureTexts = {
  'bad-key': 'check the key that is set for the provider',
  'no-access': 'use a model that the key may use: --model provider/name',
  'unknown-model': 'name a model that the provider has: --model provider/name',
  'context-overflow': 'begin a new conversation, or name less in the message',
  overloaded: AGAIN,
  'rate-limited': AGAIN,
  'no-credit': 'add credit to the account of the key',
  unreachable:
    'check the network and the address of the provider; a model on this machine must be running',
  'bad-request': 'try another model: --model provider/name',
  'broken-answer': AGAIN,
  cancelled: 'run the command again',
  other: AGAIN,
};

const FIXES: Readonly<Record<FailurePlace, FailureTexts>> = {
  run: IN_RUN,
  chat: {
    ...IN_RUN,
    'bad-key': SET_KEY,
    'no-access': 'use a model that the key may use: /model provider/name',
    'unknown-model': 'name a model that the provider has: /model provider/name',
    'context-overflow': 'make room with /compact, or begin a new conversation with /clear',
    'bad-request': 'try another model with /model provider/name, or start over with /clear',
    'broken-answer': 'say "continue", or send it again',
    cancelled: 'send it again',
    other: 'say "continue", or send it again',
  },
};
