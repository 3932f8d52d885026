// The first question that waits for the user, as lines, and how many more there are.

import {
  type AskedAboutCall,
  type AskedAboutNotes,
  rowsForAsked,
  type Screen,
  unseenOf,
  contentWidth,
  withSeen,
} from '../state/index.ts';
import { approvalLines, type ApprovalState, shownApproval } from '../view/approval-lines.ts';
import type { AnswerState, ShownQuestion } from '../view/long-question.ts';
import { shownNotes } from '../view/notes-lines.ts';
import { questionLines } from '../view/question-lines.ts';
import { type Canvas, type Line, toAnsi } from '../view/spans.ts';
import type { Theme } from '../view/theme.ts';

/** At most as many lines as there are rows for questions, if possible. */
export function askedLines(screen: Screen, theme: Theme): readonly string[] {
  const [asked, ...others] = screen.asked;
  if (asked === undefined) return [];
  const canvas = { width: contentWidth(screen), theme };
  const more = others.length > 0 ? [`  ${others.length} more to answer after this`] : [];
  const rows = rowsForAsked(screen);
  const lines =
    asked.kind === 'approval'
      ? callLines(asked, rows, canvas)
      : asked.kind === 'notes'
        ? notesLines(asked, rows, canvas)
        : questionLines(asked.request.server, asked.answering, { ...canvas, rows });
  return [...lines.map((line) => toAnsi(line, theme)), ...more];
}

function callLines(asked: AskedAboutCall, rows: number, canvas: Canvas): readonly Line[] {
  const { approval } = asked;
  const state = { ...approvalState(asked), rows };
  const shown = (): ShownQuestion => shownApproval(approval, { ...state, unseen: 0 }, canvas);
  return approvalLines(approval, { ...state, ...answerState(asked, shown, canvas) }, canvas);
}

function notesLines(asked: AskedAboutNotes, rows: number, canvas: Canvas): readonly Line[] {
  const { notes, reading, selected } = asked;
  const state = { selected, rows, offset: reading.offset };
  const shown = (): ShownQuestion => shownNotes(notes, { ...state, unseen: 0 }, canvas);
  return shownNotes(notes, { ...state, ...answerState(asked, shown, canvas) }, canvas).lines;
}

/** After an early yes: how many lines are still unseen. Once all are seen, no answer is selected. */
function answerState(
  { reading, selected, unseenYes }: AskedAboutCall | AskedAboutNotes,
  shownNow: () => ShownQuestion,
  { width }: Canvas,
): AnswerState {
  if (unseenYes === undefined) return { selected };
  const shown = shownNow();
  const unseen = unseenOf(withSeen(reading, shown, width), shown);
  return { selected: unseen === 0 ? -1 : selected, unseen };
}

function approvalState({ selected, rule, reading, typing }: AskedAboutCall): ApprovalState {
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
