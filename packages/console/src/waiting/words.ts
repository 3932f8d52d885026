// Words for approvals, questions and their answers, on the page and in announcements.

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

/** How many are named; the rest is a number. */
const MOST_NAMED = 3;

interface News {
  readonly answered: readonly Pick<AnsweredView, 'waiting' | 'answer'>[];
  readonly fresh: readonly WaitingView[];
  /** The number of all that wait now, including the new ones. */
  readonly waiting: number;
}

/** The announcement of new answers and of what has begun to wait; empty if there is no news. */
export function announcementOf({ answered, fresh, waiting }: News): string {
  const outcomes = answered
    .slice(0, MOST_NAMED)
    .map((each) => `${ANSWERS[each.answer].word}: ${wishOf(each.waiting)}.`);
  const isAllNew = fresh.length === waiting;
  const wanted = `${waiting} waiting for your answer${isAllNew ? '' : `, ${fresh.length} of them new`}: ${listOf(fresh)}.`;
  return [...outcomes, ...(fresh.length > 0 ? [wanted] : [])].map(capitalized).join(' ');
}

/** The announcement a minute before these can no longer be answered. */
export function warningOf(ending: readonly WaitingView[]): string {
  return `One minute left to answer: ${listOf(ending)}.`;
}

/** In minutes, since a countdown of seconds would put the user under pressure. */
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
