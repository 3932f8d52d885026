// What the user sees before approving the instructions of a folder: findings, new lines, and the whole text behind a bar,
// without invisible characters.

import type { PendingNotes } from '../../chat/index.ts';
import { visible, visibleLine } from '../../print/visible.ts';
import { choiceLines, keyHints } from './choice-lines.ts';
import {
  type AnswerState,
  eitherQuestion,
  type Frame,
  type DrawnQuestion,
  drawQuestion,
} from './long-question.ts';
import { plural } from './sizes.ts';
import { barred, type Canvas, cutSpans, indented, type Line, span, wrapSpans } from './spans.ts';

export interface NotesState extends AnswerState {
  readonly rows: number;
  readonly offset: number;
}

export const NOTES_CHOICES = [
  { answer: 'yes', key: 'y', label: 'Yes, as long as they say this' },
  { answer: 'no', key: 'n', label: 'No, and do not ask again about these' },
  { answer: 'later', key: 'l', label: 'Not in this conversation' },
] as const;

export function drawNotes(notes: PendingNotes, state: NotesState, canvas: Canvas): DrawnQuestion {
  const { rows, offset } = state;
  const question = {
    // While the user reads page by page, the body gets all available room.
    roomy:
      state.unseen === undefined ? roomyFrame(notes, state, canvas) : tightFrame(state, canvas),
    tight: () => tightFrame(state, canvas),
    body: bodyLines(notes, canvas),
  };
  return drawQuestion(question, { rows, offset, canvas });
}

function roomyFrame({ name }: PendingNotes, state: NotesState, canvas: Canvas): Frame {
  const why = `${name} came with this folder, and the model would be told to follow it.`;
  const room = canvas.width - 2;
  return {
    above: [
      headLine(canvas),
      ...indented(wrapSpans([span(visible(why), { role: 'dim' })], room), span('  ')),
      [],
    ],
    below: [
      ...choiceLines(NOTES_CHOICES, state.selected, canvas),
      [],
      ...keyHints(['arrows and Enter, or the letter', 'Esc: not now'], canvas),
    ],
  };
}

function tightFrame(state: NotesState, canvas: Canvas): Frame {
  return { above: [headLine(canvas)], below: eitherQuestion(NOTES_CHOICES, state, canvas) };
}

function headLine({ theme, width }: Canvas): Line {
  const sign = span(`${theme.symbols.warning} `, { role: 'warning' });
  const words = span('Use these instructions in this folder?', { isBold: true });
  return cutSpans([sign, words], width, theme);
}

const MOST_NEW = 8;

function bodyLines({ warnings, since, lines }: PendingNotes, canvas: Canvas): readonly Line[] {
  const room = canvas.width - 2;
  const remarks = [
    ...(since === undefined ? [] : wrapSpans([span(since)], room)),
    ...warnings.flatMap((words) => wrapSpans([span(words, { role: 'warning' })], room)),
  ];
  const numbered = lines.map((line, index) => ({ ...line, number: index + 1 }));
  const newNumbered = numbered.filter(({ isNew }) => isNew);
  const isPart = newNumbered.length > 0 && newNumbered.length < lines.length;
  return [
    ...block(indented(remarks, span('  '), span('  '))),
    ...(isPart ? newLines(newNumbered, canvas) : []),
    ...numbered.flatMap((line) => noteLines(line, isPart, canvas)),
    [],
  ];
}

function block(lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [...lines, []];
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
  readonly isNew: boolean;
}

/** The new lines, which are also shown in their places. */
function newLines(newNumbered: readonly NumberedLine[], canvas: Canvas): readonly Line[] {
  const rest = newNumbered.length - MOST_NEW;
  return [
    [span('  New:', { role: 'warning' })],
    ...newNumbered.slice(0, MOST_NEW).flatMap((line) => noteLines(line, true, canvas)),
    ...(rest > 0 ? [[span(`  and ${plural(rest, 'line')} more`, { role: 'dim' })]] : []),
    [],
  ];
}

function noteLines(
  { number, text, isNew }: NumberedLine,
  hasMarks: boolean,
  canvas: Canvas,
): readonly Line[] {
  const mark = !hasMarks ? '' : isNew ? '+ ' : '  ';
  const gutter = span(`${String(number).padStart(3)} `, { role: 'dim' });
  const shown = visibleLine(text);
  const room = canvas.width - 8 - mark.length;
  const lines = wrapSpans([span(mark + shown, isNew && hasMarks ? { role: 'good' } : {})], room);
  return barred(indented(lines, gutter), canvas.theme);
}
