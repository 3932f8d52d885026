// The keys of every question about something that may be longer than the screen: choosing an answer by its letter or with
// arrows and Enter, and turning pages. The caller decides what an answer means.

import { type OpenQuestion, turned, unseenOf, withSeen } from '../state/index.ts';
import type { ShownQuestion } from '../view/long-question.ts';

/** A question that can be approved only after all of it was on the screen. */
type LongAsked = Extract<OpenQuestion, { readonly kind: 'approval' | 'notes' }>;

export type LongStep<A, C> =
  | { readonly kind: 'chosen'; readonly choice: C }
  | { readonly kind: 'changed'; readonly asked: A }
  | { readonly kind: 'left' }
  | { readonly kind: 'none' };

export function longQuestionStep<A extends LongAsked, C extends { readonly key: string }>(
  asked: A,
  chord: string,
  { shown, choices }: { readonly shown: ShownQuestion; readonly choices: readonly C[] },
): LongStep<A, C> {
  const byLetter = choices.find(({ key }) => key === chord.toLowerCase());
  if (byLetter !== undefined) return { kind: 'chosen', choice: byLetter };
  const size = choices.length;
  const to = (by: number): LongStep<A, C> => ({
    kind: 'changed',
    asked: { ...asked, selected: (asked.selected + by + size) % size },
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
      const reading = turned(asked.reading, shown, chord === 'pageup' ? 'back' : 'on');
      return { kind: 'changed', asked: { ...asked, reading } };
    }
    case 'enter': {
      const choice = choices[asked.selected];
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
export function withShown<A extends LongAsked>(before: A, shown: ShownQuestion, width: number): A {
  const reading = withSeen(before.reading, shown, width);
  return before.unseenYes === undefined || unseenOf(reading, shown) > 0
    ? { ...before, reading }
    : { ...before, reading, unseenYes: undefined, selected: -1 };
}
