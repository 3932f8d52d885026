// The keys of every question about something that may be longer than the screen: choosing an answer by its letter or with
// arrows and Enter, and turning pages. The caller decides what an answer means.

import { type OpenQuestion, turnPage, unseenLines, withSeen } from '../state/index.ts';
import type { DrawnQuestion } from '../view/long-question.ts';

/** A question that can be approved only after all of it was on the screen. */
type LongQuestionState = Extract<OpenQuestion, { readonly kind: 'approval' | 'notes' }>;

export type LongStep<A, C> =
  | { readonly kind: 'chosen'; readonly choice: C }
  | { readonly kind: 'changed'; readonly question: A }
  | { readonly kind: 'left' }
  | { readonly kind: 'none' };

export function longQuestionStep<A extends LongQuestionState, C extends { readonly key: string }>(
  question: A,
  chord: string,
  { shown, choices }: { readonly shown: DrawnQuestion; readonly choices: readonly C[] },
): LongStep<A, C> {
  const byLetter = choices.find(({ key }) => key === chord.toLowerCase());
  if (byLetter !== undefined) return { kind: 'chosen', choice: byLetter };
  const size = choices.length;
  const to = (by: number): LongStep<A, C> => ({
    kind: 'changed',
    question: { ...question, selected: (question.selected + by + size) % size },
  });
  switch (chord) {
    case 'up':
    case 'left':
    case 'shift-tab':
      return to(-1);
    case 'down':
    case 'right':
    case 'tab':
      return to(1);
    case ' ':
    case 'pagedown':
    case 'pageup': {
      const reading = turnPage(question.reading, shown, chord === 'pageup' ? 'back' : 'on');
      return { kind: 'changed', question: { ...question, reading } };
    }
    case 'enter': {
      const choice = choices[question.selected];
      return choice === undefined ? { kind: 'none' } : { kind: 'chosen', choice };
    }
    case 'escape':
      return { kind: 'left' };
    default:
      return { kind: 'none' };
  }
}

/**
 * Counts what is on the screen as seen. After an early yes, the first question is shown again, with no answer selected,
 * once all of it was seen.
 */
export function withDrawnSeen<A extends LongQuestionState>(
  before: A,
  shown: DrawnQuestion,
  width: number,
): A {
  const reading = withSeen(before.reading, shown, width);
  return before.unseenYes === undefined || unseenLines(reading, shown) > 0
    ? { ...before, reading }
    : { ...before, reading, unseenYes: undefined, selected: -1 };
}
