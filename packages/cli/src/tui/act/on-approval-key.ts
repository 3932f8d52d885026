// Keys while a call waits for approval: choosing an answer by its letter or with arrows and Enter, turning pages, and typing
// arguments or a reason. A yes counts if all of the call was on the screen; otherwise the user is asked again.

import { isObject, type JsonObject, parseJson } from '@plugboard/base';
import type { Remember } from '@plugboard/host';
import { editorWith } from '../input/index.ts';
import { type Key, wordOf } from '../keys/index.ts';
import {
  type AskedAboutCall,
  atUnseen,
  rowsForAsked,
  type Screen,
  UNREAD,
  unseenOf,
  contentWidth,
  withoutAsked,
} from '../state/index.ts';
import { type ApprovalChoice, approvalChoices } from '../view/approval-choices.ts';
import { shownApproval, showsAllTyped } from '../view/approval-lines.ts';
import { type ShownQuestion, UNSEEN_CHOICES } from '../view/long-question.ts';
import { PLAIN_THEME } from '../view/theme.ts';
import { acted, type KeyResult, replaceQuestion } from './effect.ts';
import { fieldEdit } from './field-edit.ts';
import { longQuestionStep, withShown } from './long-question-key.ts';

export function onApprovalKey(screen: Screen, before: AskedAboutCall, key: Key): KeyResult {
  if (before.typing !== undefined) return onTyping(screen, before, key);
  const shown = shownOf(screen, before);
  const asked = withShown(before, shown, contentWidth(screen));
  const choices: readonly AnyChoice[] =
    asked.unseenYes === undefined ? approvalChoices(asked.approval) : UNSEEN_CHOICES;
  const step = longQuestionStep(asked, wordOf(key), { shown, choices });
  switch (step.kind) {
    case 'chosen':
      return choose(screen, asked, step.choice);
    case 'changed':
      return acted(replaceQuestion(screen, step.asked));
    case 'left':
      // Leaving the question stops the turn, or the model would ask again at once.
      return {
        screen: withoutAsked(screen, asked.id, screen.now),
        effects: [deny(asked.id, ''), { kind: 'cancel' }],
      };
    case 'none':
      return acted(screen);
    default:
      return step satisfies never;
  }
}

/** The part of the call that is on the screen. No symbol of any theme is wider than those of this one. */
function shownOf(
  screen: Screen,
  { approval, selected, reading, unseenYes, rule }: AskedAboutCall,
): ShownQuestion {
  const canvas = { width: contentWidth(screen), theme: PLAIN_THEME };
  const rows = rowsForAsked(screen);
  const unseen = unseenYes === undefined ? undefined : 0;
  const { offset } = reading;
  return shownApproval(approval, { selected, rule, rows, offset, unseen }, canvas);
}

type AnyChoice = ApprovalChoice | (typeof UNSEEN_CHOICES)[number];

function choose(screen: Screen, asked: AskedAboutCall, choice: AnyChoice): KeyResult {
  const { id, approval } = asked;
  switch (choice.kind) {
    case 'allow':
      return 'remember' in choice
        ? allowSeen(screen, asked, choice.remember)
        : allow(screen, asked, asked.unseenYes ?? 'once');
    case 'read':
      return acted(replaceQuestion(screen, { ...asked, reading: atUnseen(asked.reading) }));
    case 'other-rule': {
      const rule = ((asked.rule ?? 0) + 1) % (approval.kept?.rules.length ?? 1);
      // On a small screen the rule is part of the body, so another rule has not been seen yet.
      const { isSmall } = shownOf(screen, asked);
      const reading = isSmall === true ? UNREAD : asked.reading;
      return acted(replaceQuestion(screen, { ...asked, rule, reading }));
    }
    case 'deny':
      return acted(withoutAsked(screen, id, screen.now), deny(id, ''));
    case 'edit': {
      const text = approval.plan ?? JSON.stringify(approval.arguments, undefined, 2);
      const editor = editorWith(text);
      return acted(replaceQuestion(screen, { ...asked, typing: { what: 'arguments', editor } }));
    }
    case 'deny-with-reason':
      return acted(
        replaceQuestion(screen, { ...asked, typing: { what: 'reason', editor: editorWith('') } }),
      );
    default:
      return choice satisfies never;
  }
}

/** Asks again if a part of the call was not on the screen. */
function allowSeen(screen: Screen, asked: AskedAboutCall, remember: Remember): KeyResult {
  return unseenOf(asked.reading, shownOf(screen, asked)) === 0
    ? allow(screen, asked, remember)
    : acted(replaceQuestion(screen, { ...asked, unseenYes: remember, selected: 0 }));
}

function allow(screen: Screen, asked: AskedAboutCall, remember: Remember): KeyResult {
  const { id, approval, isEdited } = asked;
  const given = isEdited === true ? { arguments: approval.arguments } : {};
  const chosen = approval.kept?.rules[asked.rule ?? 0];
  const rule = remember === 'once' || chosen === undefined ? {} : { rule: chosen };
  const answer = { kind: 'allow', remember, ...rule, ...given } as const;
  return acted(withoutAsked(screen, id, screen.now), { kind: 'approval', id, answer });
}

function onTyping(screen: Screen, asked: AskedAboutCall, key: Key): KeyResult {
  const { typing, ...untyped } = asked;
  if (typing === undefined) return acted(screen);
  const chord = wordOf(key);
  if (chord === 'escape' || chord === 'ctrl-c') return acted(replaceQuestion(screen, untyped));
  if (chord === 'enter') {
    return typing.what === 'reason'
      ? acted(withoutAsked(screen, asked.id, screen.now), deny(asked.id, typing.editor.text.trim()))
      : sendArguments(screen, asked, typing.editor.text);
  }
  const editor = fieldEdit(typing.editor, key, screen.columns);
  return acted(replaceQuestion(screen, { ...asked, typing: { what: typing.what, editor } }));
}

const LIMITS = { maxLength: 1_000_000, maxDepth: 100 };

function sendArguments(screen: Screen, asked: AskedAboutCall, text: string): KeyResult {
  if (asked.approval.plan !== undefined) {
    const edited = withArguments(asked, { plan: text });
    const approval = { ...edited.approval, plan: text };
    return acted(replaceQuestion(screen, { ...edited, approval }));
  }
  const parsed = parseJson(text, LIMITS);
  if (!parsed.ok || !isObject(parsed.value)) {
    const problem = parsed.ok ? 'This has to be an object: { … }' : 'This is not JSON';
    const typing = { what: 'arguments', editor: editorWith(text), problem } as const;
    const cursor = asked.typing?.editor.cursor ?? text.length;
    return acted(
      replaceQuestion(screen, {
        ...asked,
        typing: { ...typing, editor: { ...typing.editor, cursor } },
      }),
    );
  }
  const edited = withArguments(asked, parsed.value);
  const canvas = { width: contentWidth(screen), theme: PLAIN_THEME };
  return showsAllTyped(text, rowsForAsked(screen), canvas)
    ? allow(screen, edited, 'once')
    : acted(replaceQuestion(screen, edited));
}

/** Starts the question again with edited arguments, for which neither a preview nor rules are known. */
function withArguments(asked: AskedAboutCall, given: JsonObject): AskedAboutCall {
  const { typing: _typing, unseenYes: _yes, rule: _rule, approval, ...question } = asked;
  const { preview: _preview, kept: _kept, ...rest } = approval;
  return {
    ...question,
    approval: { ...rest, offers: ['once'], arguments: given },
    selected: 0,
    reading: UNREAD,
    isEdited: true,
  };
}

function deny(id: string, reason: string): KeyResult['effects'][number] {
  return { kind: 'approval', id, answer: { kind: 'deny', reason } };
}
