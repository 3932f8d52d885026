// Keys while a call waits to be approved: a choice by its letter, or with arrows and Enter; and typing the arguments
// or a reason.

import { isObject, parseJson } from '@plugboard/base';
import { editorWith } from '../input/index.ts';
import { type Key, wordOf } from '../keys/index.ts';
import { type AskedAboutCall, type Screen, withoutAsked } from '../state/index.ts';
import { type ApprovalChoice, approvalChoices } from '../view/approval-choices.ts';
import { acted, type Acted } from './effect.ts';
import { fieldEdit } from './field-edit.ts';
import { replacedAsked } from './asked.ts';

export function onApprovalKey(screen: Screen, asked: AskedAboutCall, key: Key): Acted {
  if (asked.typing !== undefined) return onTyping(screen, asked, key);
  const choices = approvalChoices(asked.approval);
  const chord = wordOf(key);
  const byLetter = choices.find((choice) => choice.key === chord.toLowerCase());
  if (byLetter !== undefined) return choose(screen, asked, byLetter);
  const size = choices.length;
  const to = (selected: number): Acted =>
    acted(replacedAsked(screen, { ...asked, selected: (selected + size) % size }));
  switch (chord) {
    case 'up':
    case 'left':
    case 'shift-tab':
      return to(asked.selected - 1);
    case 'down':
    case 'right':
    case 'tab':
      return to(asked.selected + 1);
    case 'pageup':
    case 'pagedown': {
      const page = Math.max(1, Math.floor(screen.rows / 3)) * (chord === 'pageup' ? -1 : 1);
      const offset = Math.min(lineCount(asked), Math.max(0, asked.offset + page));
      return acted(replacedAsked(screen, { ...asked, offset }));
    }
    case 'enter': {
      const choice = choices[asked.selected];
      return choice === undefined ? acted(screen) : choose(screen, asked, choice);
    }
    case 'escape':
      // Who leaves the question leaves the turn: the model would ask again at once.
      return {
        screen: withoutAsked(screen, asked.id),
        effects: [deny(asked.id, ''), { kind: 'cancel' }],
      };
    default:
      return acted(screen);
  }
}

/** No fewer than are drawn: so far may be scrolled. */
function lineCount({ approval }: AskedAboutCall): number {
  const { preview } = approval;
  const given = JSON.stringify(approval.arguments, undefined, 2);
  return [given, preview?.before ?? '', preview?.after ?? ''].join('\n').split('\n').length;
}

function choose(screen: Screen, asked: AskedAboutCall, choice: ApprovalChoice): Acted {
  const { id, approval } = asked;
  switch (choice.kind) {
    case 'allow': {
      const answer = { kind: 'allow', remember: choice.remember } as const;
      return acted(withoutAsked(screen, id), { kind: 'approval', id, answer });
    }
    case 'deny':
      return acted(withoutAsked(screen, id), deny(id, ''));
    case 'edit': {
      const editor = editorWith(JSON.stringify(approval.arguments, undefined, 2));
      return acted(replacedAsked(screen, { ...asked, typing: { what: 'arguments', editor } }));
    }
    case 'deny-with-reason':
      return acted(
        replacedAsked(screen, { ...asked, typing: { what: 'reason', editor: editorWith('') } }),
      );
    default:
      return choice satisfies never;
  }
}

function onTyping(screen: Screen, asked: AskedAboutCall, key: Key): Acted {
  const { typing, ...untyped } = asked;
  if (typing === undefined) return acted(screen);
  const chord = wordOf(key);
  if (chord === 'escape' || chord === 'ctrl-c') return acted(replacedAsked(screen, untyped));
  if (chord === 'enter') {
    return typing.what === 'reason'
      ? acted(withoutAsked(screen, asked.id), deny(asked.id, typing.editor.text.trim()))
      : sendArguments(screen, asked, typing.editor.text);
  }
  const editor = fieldEdit(typing.editor, key, screen.columns);
  return acted(replacedAsked(screen, { ...asked, typing: { what: typing.what, editor } }));
}

const LIMITS = { maxLength: 1_000_000, maxDepth: 100 };

function sendArguments(screen: Screen, asked: AskedAboutCall, text: string): Acted {
  const { id } = asked;
  const parsed = parseJson(text, LIMITS);
  if (!parsed.ok || !isObject(parsed.value)) {
    const problem = parsed.ok ? 'This has to be an object: { … }' : 'This is not JSON';
    const typing = { what: 'arguments', editor: editorWith(text), problem } as const;
    const cursor = asked.typing?.editor.cursor ?? text.length;
    return acted(
      replacedAsked(screen, {
        ...asked,
        typing: { ...typing, editor: { ...typing.editor, cursor } },
      }),
    );
  }
  const answer = {
    kind: 'allow',
    remember: 'once',
    arguments: parsed.value,
  } as const;
  return acted(withoutAsked(screen, id), { kind: 'approval', id, answer });
}

function deny(id: string, reason: string): Acted['effects'][number] {
  return { kind: 'approval', id, answer: { kind: 'deny', reason } };
}
