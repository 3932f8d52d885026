// The effects of a key beyond the screen. The session of the chat performs them.

import type { ChatAnswer, ServerAction } from '../../chat/index.ts';
import type { OpenQuestion, Screen } from '../state/index.ts';

export type Effect =
  | { readonly kind: 'submit'; readonly text: string }
  /** Submits the line of the chosen list row. */
  | { readonly kind: 'choose'; readonly line: string }
  | {
      readonly kind:
        | 'cancel'
        | 'quit'
        | 'interrupt'
        | 'suspend'
        | 'redraw'
        | 'hint-later'
        | 'mode'
        /** Adds the picture in the clipboard to the message. */
        | 'picture';
    }
  | { readonly kind: 'complete'; readonly text: string; readonly cursor: number }
  | { readonly kind: 'forget-completion' }
  | ChatAnswer
  | { readonly kind: 'server'; readonly server: string; readonly action: ServerAction };

export interface KeyResult {
  readonly screen: Screen;
  readonly effects: readonly Effect[];
}

export function keyResult(screen: Screen, ...effects: readonly Effect[]): KeyResult {
  return { screen, effects };
}

/** Replaces the question with the same id. */
export function changeQuestion(screen: Screen, question: OpenQuestion): KeyResult {
  const questions = screen.questions.map((one) => (one.id === question.id ? question : one));
  return keyResult({ ...screen, questions });
}
