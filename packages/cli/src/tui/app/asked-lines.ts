// The question that waits for the person, as lines; one at a time, and how many more there are.

import {
  type AskedAboutCall,
  type AskedAboutNotes,
  rowsForAsked,
  type Screen,
  unseenOf,
  widthForAsked,
  withSeen,
} from '../state/index.ts';
import { approvalLines, type ApprovalState, shownApproval } from '../view/approval-lines.ts';
import { shownNotes } from '../view/notes-lines.ts';
import { questionLines } from '../view/question-lines.ts';
import { type Canvas, type Line, toAnsi } from '../view/spans.ts';
import type { Theme } from '../view/theme.ts';

/** No more of them than there are rows for it, if that can be. */
export function askedLines(screen: Screen, theme: Theme): readonly string[] {
  const [asked, ...others] = screen.asked;
  if (asked === undefined) return [];
  const canvas = { width: widthForAsked(screen), theme };
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
  const { approval, reading, unseenYes } = asked;
  const state = { ...approvalState(asked), rows };
  if (unseenYes === undefined) return approvalLines(approval, state, canvas);
  const shown = shownApproval(approval, { ...state, unseen: 0 }, canvas);
  const unseen = unseenOf(withSeen(reading, shown, canvas.width), shown);
  const selected = unseen === 0 ? -1 : state.selected;
  return approvalLines(approval, { ...state, unseen, selected }, canvas);
}

function notesLines(asked: AskedAboutNotes, rows: number, canvas: Canvas): readonly Line[] {
  const { notes, reading, selected, isUnseenYes } = asked;
  const state = { selected, rows, offset: reading.offset };
  if (isUnseenYes === undefined) return shownNotes(notes, state, canvas).lines;
  const shown = shownNotes(notes, { ...state, unseen: 0 }, canvas);
  const unseen = unseenOf(withSeen(reading, shown, canvas.width), shown);
  const chosen = unseen === 0 ? -1 : selected;
  return shownNotes(notes, { ...state, unseen, selected: chosen }, canvas).lines;
}

function approvalState({ selected, reading, typing }: AskedAboutCall): ApprovalState {
  const { text, cursor } = typing?.editor ?? {};
  return {
    selected,
    offset: reading.offset,
    editing: typing?.what === 'arguments' ? text : undefined,
    reason: typing?.what === 'reason' ? text : undefined,
    cursor,
    problem: typing?.problem,
  };
}
