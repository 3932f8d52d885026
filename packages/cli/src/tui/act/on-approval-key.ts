// Keys while a call waits for approval: choosing an answer by its letter or with arrows and Enter, turning pages, and typing
// arguments or a reason. A yes counts if all of the call was on the screen; otherwise the question is repeated.

import { isObject, type JsonObject, parseJson } from '@plugboard/base';
import type { Remember } from '@plugboard/host';
import { editorWith } from '../input/index.ts';
import { type Key, wordOf } from '../keys/index.ts';
import {
  type ApprovalQuestion,
  goToUnseen,
  questionRows,
  type Screen,
  UNREAD,
  unseenLines,
  contentWidth,
  withoutQuestion,
} from '../state/index.ts';
import { type ApprovalChoice, approvalChoices } from '../view/approval-choices.ts';
import { drawApproval, fitsTypedText } from '../view/approval-lines.ts';
import { type DrawnQuestion, UNSEEN_CHOICES } from '../view/long-question.ts';
import { PLAIN_THEME } from '../view/theme.ts';
import { changeQuestion, keyResult, type KeyResult } from './effect.ts';
import { fieldEdit } from './field-edit.ts';
import { longQuestionStep, withDrawnSeen } from './long-question-key.ts';

export function onApprovalKey(screen: Screen, before: ApprovalQuestion, key: Key): KeyResult {
  if (before.typing !== undefined) return onTyping(screen, before, key);
  const shown = drawnQuestion(screen, before);
  const question = withDrawnSeen(before, shown, contentWidth(screen));
  const choices: readonly AnyChoice[] =
    question.unseenYes === undefined ? approvalChoices(question.approval) : UNSEEN_CHOICES;
  const step = longQuestionStep(question, wordOf(key), { shown, choices });
  switch (step.kind) {
    case 'chosen':
      return choose(screen, question, step.choice);
    case 'changed':
      return changeQuestion(screen, step.question);
    case 'left':
      // Leaving the question stops the turn, or the model would ask again at once.
      return {
        screen: withoutQuestion(screen, question.id, screen.now),
        effects: [deny(question.id, ''), { kind: 'cancel' }],
      };
    case 'none':
      return keyResult(screen);
    default:
      return step satisfies never;
  }
}

/** The part of the call that is on the screen. No symbol of any theme is wider than those of this one. */
function drawnQuestion(
  screen: Screen,
  { approval, selected, reading, unseenYes, rule }: ApprovalQuestion,
): DrawnQuestion {
  const canvas = { width: contentWidth(screen), theme: PLAIN_THEME };
  const rows = questionRows(screen);
  const unseen = unseenYes === undefined ? undefined : 0;
  const { offset } = reading;
  return drawApproval(approval, { selected, rule, rows, offset, unseen }, canvas);
}

type AnyChoice = ApprovalChoice | (typeof UNSEEN_CHOICES)[number];

function choose(screen: Screen, question: ApprovalQuestion, choice: AnyChoice): KeyResult {
  const { id, approval } = question;
  switch (choice.kind) {
    case 'allow':
      return 'remember' in choice
        ? allowIfSeen(screen, question, choice.remember)
        : allow(screen, question, question.unseenYes ?? 'once');
    case 'read':
      return changeQuestion(screen, { ...question, reading: goToUnseen(question.reading) });
    case 'other-rule': {
      const rule = ((question.rule ?? 0) + 1) % (approval.kept?.rules.length ?? 1);
      // On a small screen the rule is part of the body, so another rule has not been seen yet.
      const { isSmall } = drawnQuestion(screen, question);
      const reading = isSmall === true ? UNREAD : question.reading;
      return changeQuestion(screen, { ...question, rule, reading });
    }
    case 'deny':
      return keyResult(withoutQuestion(screen, id, screen.now), deny(id, ''));
    case 'edit': {
      const text = approval.plan ?? JSON.stringify(approval.arguments, undefined, 2);
      const editor = editorWith(text);
      return changeQuestion(screen, { ...question, typing: { what: 'arguments', editor } });
    }
    case 'deny-with-reason':
      return changeQuestion(screen, {
        ...question,
        typing: { what: 'reason', editor: editorWith('') },
      });
    default:
      return choice satisfies never;
  }
}

/** Asks again if a part of the call was not on the screen. */
function allowIfSeen(screen: Screen, question: ApprovalQuestion, remember: Remember): KeyResult {
  return unseenLines(question.reading, drawnQuestion(screen, question)) === 0
    ? allow(screen, question, remember)
    : changeQuestion(screen, { ...question, unseenYes: remember, selected: 0 });
}

function allow(screen: Screen, question: ApprovalQuestion, remember: Remember): KeyResult {
  const { id, approval, isEdited } = question;
  const given = isEdited === true ? { arguments: approval.arguments } : {};
  const chosen = approval.kept?.rules[question.rule ?? 0];
  const rule = remember === 'once' || chosen === undefined ? {} : { rule: chosen };
  const answer = { kind: 'allow', remember, ...rule, ...given } as const;
  return keyResult(withoutQuestion(screen, id, screen.now), { kind: 'approval', id, answer });
}

function onTyping(screen: Screen, question: ApprovalQuestion, key: Key): KeyResult {
  const { typing, ...untyped } = question;
  if (typing === undefined) return keyResult(screen);
  const chord = wordOf(key);
  if (chord === 'escape' || chord === 'ctrl-c') return changeQuestion(screen, untyped);
  if (chord === 'enter') {
    return typing.what === 'reason'
      ? keyResult(
          withoutQuestion(screen, question.id, screen.now),
          deny(question.id, typing.editor.text.trim()),
        )
      : sendArguments(screen, question, typing.editor.text);
  }
  const editor = fieldEdit(typing.editor, key, screen.columns);
  return changeQuestion(screen, { ...question, typing: { what: typing.what, editor } });
}

const LIMITS = { maxLength: 1_000_000, maxDepth: 100 };

function sendArguments(screen: Screen, question: ApprovalQuestion, text: string): KeyResult {
  if (question.approval.plan !== undefined) {
    const edited = withArguments(question, { plan: text });
    const approval = { ...edited.approval, plan: text };
    return changeQuestion(screen, { ...edited, approval });
  }
  const parsed = parseJson(text, LIMITS);
  if (!parsed.ok || !isObject(parsed.value)) {
    const problem = parsed.ok ? 'This has to be an object: { … }' : 'This is not JSON';
    const typing = { what: 'arguments', editor: editorWith(text), problem } as const;
    const cursor = question.typing?.editor.cursor ?? text.length;
    return changeQuestion(screen, {
      ...question,
      typing: { ...typing, editor: { ...typing.editor, cursor } },
    });
  }
  const edited = withArguments(question, parsed.value);
  const canvas = { width: contentWidth(screen), theme: PLAIN_THEME };
  return fitsTypedText(text, questionRows(screen), canvas)
    ? allow(screen, edited, 'once')
    : changeQuestion(screen, edited);
}

/** Starts the question again with edited arguments, for which neither a preview nor rules are known. */
function withArguments(question: ApprovalQuestion, given: JsonObject): ApprovalQuestion {
  const { typing: _typing, unseenYes: _yes, rule: _rule, approval, ...base } = question;
  const { preview: _preview, kept: _kept, ...rest } = approval;
  return {
    ...base,
    approval: { ...rest, offers: ['once'], arguments: given },
    selected: 0,
    reading: UNREAD,
    isEdited: true,
  };
}

function deny(id: string, reason: string): KeyResult['effects'][number] {
  return { kind: 'approval', id, answer: { kind: 'deny', reason } };
}
