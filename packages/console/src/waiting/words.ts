// What waits and what became of it, in words: as they are shown on the page, and as they are said.

import type { AnsweredView, WaitingView } from '@plugboard/gateway/console-api';
import { counted } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';

export const MINUTE_MS = 60_000;

export const ANSWERS: Readonly<
  Record<AnsweredView['answer'], { readonly word: string; readonly tone: string }>
> = {
  allow: { word: 'allowed', tone: 'good' },
  accept: { word: 'answered', tone: 'good' },
  deny: { word: 'denied', tone: 'bad' },
  decline: { word: 'declined', tone: 'bad' },
  cancel: { word: 'cancelled', tone: 'calm' },
  gone: { word: 'not answered', tone: 'calm' },
};

/** The rest is a number. */
const MOST_NAMED = 3;

interface News {
  readonly answered: readonly Pick<AnsweredView, 'waiting' | 'answer'>[];
  readonly fresh: readonly WaitingView[];
  /** How many wait now, the fresh ones among them. */
  readonly waiting: number;
}

/** What is said when something was answered or given up, or began to wait; empty where nothing did. */
export function newsOf({ answered, fresh, waiting }: News): string {
  const outcomes = answered
    .slice(0, MOST_NAMED)
    .map((each) => `${ANSWERS[each.answer].word}: ${wishOf(each.waiting)}.`);
  const isAllNew = fresh.length === waiting;
  const wanted = `${waiting} waiting for your answer${isAllNew ? '' : `, ${fresh.length} of them new`}: ${listOf(fresh)}.`;
  return [...outcomes, ...(fresh.length > 0 ? [wanted] : [])].map(capitalized).join(' ');
}

/** What is said a minute before these can no longer be answered. */
export function warningOf(ending: readonly WaitingView[]): string {
  return `One minute left to answer: ${listOf(ending)}.`;
}

/** By the minute: a number that changes each second hurries those who see it. */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  return minutes < 1 ? 'less than a minute left' : `${counted(minutes, 'minute')} left`;
}

function listOf(waiting: readonly WaitingView[]): string {
  const named = waiting.slice(0, MOST_NAMED).map(wishOf);
  const more = waiting.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function wishOf(waiting: WaitingView): string {
  const server = visible(waiting.server);
  switch (waiting.kind) {
    case 'approval':
      return `${visible(waiting.tool)} of ${server}`;
    case 'form':
      return `${server} asks something`;
    case 'page':
      return `${server} wants you to visit a page`;
    default:
      return waiting satisfies never;
  }
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
