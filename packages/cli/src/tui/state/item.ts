// An item of the conversation on the screen. Items that can still change are live; finished ones are drawn once.

import type { TurnEnd, UserPart } from '@plugboard/agent';
import type { ChangePreview, Notice } from '../../chat/index.ts';
import type { CallView } from '../view/call-view.ts';

export type Item = { readonly id: number } & Content;

export type Content =
  | { readonly kind: 'opening' }
  | { readonly kind: 'user'; readonly parts: readonly UserPart[] }
  | { readonly kind: 'text'; readonly text: string; readonly isOpen: boolean }
  | { readonly kind: 'reasoning'; readonly text: string; readonly isOpen: boolean }
  | { readonly kind: 'call'; readonly call: CallView }
  | { readonly kind: 'notice'; readonly notice: Notice }
  /** A command that the user typed. */
  | { readonly kind: 'command'; readonly text: string }
  /** The output of a command. */
  | { readonly kind: 'shown'; readonly text: string }
  | { readonly kind: 'changes'; readonly changes: readonly ChangePreview[] }
  | { readonly kind: 'turn-end'; readonly end: TurnEnd; readonly ms: number };

export function isSettled(item: Item): boolean {
  switch (item.kind) {
    case 'text':
    case 'reasoning':
      return !item.isOpen;
    case 'call':
      return ['done', 'failed', 'cancelled'].includes(item.call.state);
    default:
      return true;
  }
}
