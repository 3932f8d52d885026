// Keys while instructions of a folder wait for approval. As with calls, a yes counts only after all was on the screen.

import { type Key, wordOf } from '../keys/index.ts';
import {
  type NotesQuestion,
  goToUnseen,
  questionRows,
  type Screen,
  unseenLines,
  contentWidth,
  withoutQuestion,
} from '../state/index.ts';
import { UNSEEN_CHOICES } from '../view/long-question.ts';
import { NOTES_CHOICES, drawNotes } from '../view/notes-lines.ts';
import { PLAIN_THEME } from '../view/theme.ts';
import type { NotesAnswer } from '../../chat/index.ts';
import { changeQuestion, keyResult, type KeyResult } from './effect.ts';
import { longQuestionStep, withDrawnSeen } from './long-question-key.ts';

export function onNotesKey(screen: Screen, before: NotesQuestion, key: Key): KeyResult {
  const shown = drawnQuestion(screen, before);
  const question = withDrawnSeen(before, shown, contentWidth(screen));
  const choices: readonly AnyChoice[] =
    question.unseenYes === true ? UNSEEN_CHOICES : NOTES_CHOICES;
  const step = longQuestionStep(question, wordOf(key), { shown, choices });
  switch (step.kind) {
    case 'chosen':
      return choose(screen, question, step.choice);
    case 'changed':
      return changeQuestion(screen, step.question);
    case 'left':
      return answerNotes(screen, question, 'later');
    case 'none':
      return keyResult(screen);
    default:
      return step satisfies never;
  }
}

function drawnQuestion(screen: Screen, { notes, selected, reading, unseenYes }: NotesQuestion) {
  const state = {
    selected,
    rows: questionRows(screen),
    offset: reading.offset,
    unseen: unseenYes === true ? 0 : undefined,
  };
  return drawNotes(notes, state, { width: contentWidth(screen), theme: PLAIN_THEME });
}

type AnyChoice = (typeof NOTES_CHOICES)[number] | (typeof UNSEEN_CHOICES)[number];

function choose(screen: Screen, question: NotesQuestion, choice: AnyChoice): KeyResult {
  if ('answer' in choice) {
    const isUnread = unseenLines(question.reading, drawnQuestion(screen, question)) > 0;
    return choice.answer === 'yes' && isUnread
      ? changeQuestion(screen, { ...question, unseenYes: true, selected: 0 })
      : answerNotes(screen, question, choice.answer);
  }
  switch (choice.kind) {
    case 'read':
      return changeQuestion(screen, { ...question, reading: goToUnseen(question.reading) });
    case 'allow':
      return answerNotes(screen, question, 'yes');
    case 'deny':
      return answerNotes(screen, question, 'no');
    default:
      return choice satisfies never;
  }
}

function answerNotes(screen: Screen, { id }: NotesQuestion, answer: NotesAnswer): KeyResult {
  return keyResult(withoutQuestion(screen, id, screen.now), { kind: 'notes', id, answer });
}
