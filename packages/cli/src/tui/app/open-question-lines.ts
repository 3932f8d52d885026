// The first question that waits for the user, as lines, and how many more there are.

import {
  type ApprovalQuestion,
  type NotesQuestion,
  questionRows,
  type Screen,
  unseenLines,
  contentWidth,
  withSeen,
} from '../state/index.ts';
import { type ApprovalState, drawApproval } from '../view/approval-lines.ts';
import type { AnswerState, DrawnQuestion } from '../view/long-question.ts';
import { drawNotes } from '../view/notes-lines.ts';
import { questionLines } from '../view/question-lines.ts';
import { type Canvas, type Line, toAnsi } from '../view/spans.ts';
import type { Theme } from '../view/theme.ts';

/** At most as many lines as there are rows for questions, if possible. */
export function openQuestionLines(screen: Screen, theme: Theme): readonly string[] {
  const [question, ...others] = screen.questions;
  if (question === undefined) return [];
  const canvas = { width: contentWidth(screen), theme };
  const more = others.length > 0 ? [`  ${others.length} more to answer after this`] : [];
  const rows = questionRows(screen);
  const lines =
    question.kind === 'approval'
      ? callLines(question, rows, canvas)
      : question.kind === 'notes'
        ? notesLines(question, rows, canvas)
        : questionLines(question.request.server, question.answering, { ...canvas, rows });
  return [...lines.map((line) => toAnsi(line, theme)), ...more];
}

function callLines(question: ApprovalQuestion, rows: number, canvas: Canvas): readonly Line[] {
  const { approval } = question;
  const state = { ...approvalState(question), rows };
  const shown = (): DrawnQuestion => drawApproval(approval, { ...state, unseen: 0 }, canvas);
  return drawApproval(approval, { ...state, ...answerState(question, shown, canvas) }, canvas)
    .lines;
}

function notesLines(question: NotesQuestion, rows: number, canvas: Canvas): readonly Line[] {
  const { notes, reading, selected } = question;
  const state = { selected, rows, offset: reading.offset };
  const shown = (): DrawnQuestion => drawNotes(notes, { ...state, unseen: 0 }, canvas);
  return drawNotes(notes, { ...state, ...answerState(question, shown, canvas) }, canvas).lines;
}

/** After an early yes: how many lines are still unseen. Once all are seen, no answer is selected. */
function answerState(
  { reading, selected, unseenYes }: ApprovalQuestion | NotesQuestion,
  shownNow: () => DrawnQuestion,
  { width }: Canvas,
): AnswerState {
  if (unseenYes === undefined) return { selected };
  const shown = shownNow();
  const unseen = unseenLines(withSeen(reading, shown, width), shown);
  return { selected: unseen === 0 ? -1 : selected, unseen };
}

function approvalState({ selected, rule, reading, typing }: ApprovalQuestion): ApprovalState {
  const { text, cursor } = typing?.editor ?? {};
  return {
    selected,
    rule,
    offset: reading.offset,
    editing: typing?.what === 'arguments' ? text : undefined,
    reason: typing?.what === 'reason' ? text : undefined,
    cursor,
    problem: typing?.problem,
  };
}
