// What a key requests beyond the screen; the session that runs the chat carries it out.

import type { ElicitationAnswer } from '@plugboard/host';
import type { ApprovalAnswer, NotesAnswer, ServerAction } from '../../chat/index.ts';
import type { OpenQuestion, Screen } from '../state/index.ts';

export type Effect =
  | { readonly kind: 'submit'; readonly text: string }
  /** The line of a row that was chosen. */
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
        /** The picture in the clipboard is to go into the message. */
        | 'picture';
    }
  | { readonly kind: 'complete'; readonly text: string; readonly cursor: number }
  | { readonly kind: 'forget-completion' }
  | { readonly kind: 'approval'; readonly id: string; readonly answer: ApprovalAnswer }
  | { readonly kind: 'notes'; readonly id: string; readonly answer: NotesAnswer }
  | { readonly kind: 'question'; readonly id: string; readonly answer: ElicitationAnswer }
  | { readonly kind: 'server'; readonly server: string; readonly action: ServerAction };

export interface KeyResult {
  readonly screen: Screen;
  readonly effects: readonly Effect[];
}

export function acted(screen: Screen, ...effects: readonly Effect[]): KeyResult {
  return { screen, effects };
}

/** The queue of what a person is asked, with one of them changed. */
export function replaceQuestion(screen: Screen, asked: OpenQuestion): Screen {
  return { ...screen, asked: screen.asked.map((one) => (one.id === asked.id ? asked : one)) };
}
