// A question about something that may be longer than the screen: a window on it, what surrounds it, and which of its
// lines are shown. The code that takes the answer asks here what the user can have seen. Pure.

import { choicesInARow, type ShownChoice } from './choice-lines.ts';
import { plural } from './sizes.ts';
import { type Canvas, cutSpans, type Line, lineWidth, span } from './spans.ts';
import { windowFrom } from './window.ts';

/** What stands around what is asked about. */
export interface Frame {
  readonly above: readonly Line[];
  readonly below: readonly Line[];
}

export interface LongQuestion {
  readonly roomy: Frame;
  /** For a screen of few rows. */
  readonly tight: () => Frame;
  readonly body: readonly Line[];
}

export interface QuestionRoom {
  readonly rows: number;
  /** From which of its lines on the body is shown, where there is no room for all of it. */
  readonly offset: number;
  readonly canvas: Canvas;
}

/** The question as it is drawn, and which lines of the body are in it: from `from` on, up to `to`. */
export interface ShownQuestion {
  readonly lines: readonly Line[];
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** On a screen of very few rows what else stands in the frame is part of the body. */
  readonly isSmall?: true;
}

/** Fewer lines of a body than this tell nothing. */
const LEAST_BODY = 2;
/** That there is more than is shown. */
const NOTE_ROWS = 1;

export function shownQuestion(question: LongQuestion, room: QuestionRoom): ShownQuestion {
  const { roomy, body } = question;
  const { rows } = room;
  const free = rows - sizeOf(roomy);
  if (free >= body.length) return { lines: filled(roomy, body), from: 0, ...wholly(body) };
  if (free >= LEAST_BODY + NOTE_ROWS) return windowed(roomy, body, { ...room, rows: free });
  const tight = question.tight();
  const left = Math.max(LEAST_BODY + NOTE_ROWS, rows - sizeOf(tight));
  const shown = windowed(tight, body, { ...room, rows: left });
  // The upper part of a question that is taller than the screen is out of sight.
  return shown.lines.length <= rows ? shown : { ...shown, from: 0, to: 0 };
}

/** Whether the frame and some lines of the body fit. */
export function hasRoomFor(frame: Frame, body: readonly Line[], rows: number): boolean {
  return sizeOf(frame) + Math.min(body.length, LEAST_BODY + NOTE_ROWS) <= rows;
}

/** Where not even the tight frame has room. What is above stays, however few rows there are. */
export function shownSmall(
  frame: Frame,
  body: readonly Line[],
  { rows, offset, canvas }: QuestionRoom,
): ShownQuestion {
  const left = Math.max(1 + NOTE_ROWS, rows - sizeOf(frame));
  const shown = windowed(frame, body, { rows: left, offset, canvas });
  if (shown.lines.length <= rows) return { ...shown, isSmall: true };
  const lines = filled(frame, []).slice(0, Math.max(0, rows));
  return { ...shown, lines, from: 0, to: 0, isSmall: true };
}

function sizeOf({ above, below }: Frame): number {
  return above.length + below.length;
}

function filled({ above, below }: Frame, body: readonly Line[]): readonly Line[] {
  return [...above, ...body, ...below];
}

/** Empty lines at its end are nothing to be seen. */
function wholly(body: readonly Line[]): { readonly to: number; readonly total: number } {
  const total = body.findLastIndex((line) => line.length > 0) + 1;
  return { to: total, total };
}

/** A window on more than there is room for, which says how much is above and below it. */
function windowed(
  frame: Frame,
  body: readonly Line[],
  { rows, offset, canvas }: QuestionRoom,
): ShownQuestion {
  const { total } = wholly(body);
  if (body.length <= rows) return { lines: filled(frame, body), from: 0, to: total, total };
  const hasGap = rows > LEAST_BODY + NOTE_ROWS + 1;
  const size = rows - NOTE_ROWS - (hasGap ? 1 : 0);
  const { shown, above, below } = windowFrom(body, offset, size);
  const note = noteLine({ above, below }, canvas);
  const lines = filled(frame, [...shown, note, ...(hasGap ? [[]] : [])]);
  return { lines, from: above, to: Math.min(total, above + shown.length), total };
}

function noteLine(
  { above, below }: { readonly above: number; readonly below: number },
  { width, theme }: Canvas,
): Line {
  const { ellipsis, dot } = theme.symbols;
  const higher = above > 0 ? [`${above} above`] : [];
  const noteOf = (lower: string, keys: string): Line => {
    const words = [...higher, ...(below > 0 ? [lower] : [])].join(', ');
    return [span(`  ${ellipsis} ${words} ${dot} ${keys}`, { role: 'warning' })];
  };
  const whole = noteOf(`${plural(below, 'more line')} below`, 'PgUp, PgDn');
  if (lineWidth(whole) <= width) return whole;
  return cutSpans(noteOf(`${below} below`, below > 0 ? 'PgDn' : 'PgUp'), width, theme);
}

/** What is answered to a yes that came before all of it was shown. Never the key of a plain yes. */
export const UNSEEN_CHOICES = [
  { kind: 'read', key: 'p', label: 'Show the next of them' },
  { kind: 'allow', key: 'u', label: 'Yes, without having seen them' },
  { kind: 'deny', key: 'n', label: 'No' },
] as const;

function unseenLine(unseen: number, { theme, width }: Canvas): Line {
  const words = `${plural(unseen, 'line')} ${unseen === 1 ? 'was' : 'were'} not shown.`;
  return cutSpans(
    [span(`${theme.symbols.warning} `, { role: 'warning' }), span(words, { role: 'warning' })],
    width,
    theme,
  );
}

/** The state of the answer: the selected one, and how many lines were not shown when a yes came. */
export interface AnswerState {
  readonly selected: number;
  /** `undefined` before such a yes; 0 once all of them were shown. */
  readonly unseen?: number | undefined;
}

/**
 * The usual answers in a row, or those to what was not shown. Both take the same room, so that nothing moves out of sight
 * when one takes the place of the other.
 */
export function eitherQuestion(
  choices: readonly ShownChoice[],
  { selected, unseen = 0 }: AnswerState,
  canvas: Canvas,
): readonly Line[] {
  const usual = choicesInARow(choices, selected, canvas);
  const other = [unseenLine(unseen, canvas), ...choicesInARow(UNSEEN_CHOICES, selected, canvas)];
  const shown = unseen === 0 ? usual : other;
  const missing = Math.max(usual.length, other.length) - shown.length;
  return [...shown, ...Array.from({ length: missing }, () => [])];
}

/** The same in two lines: the answer at hand, and the keys of all. */
export function answersInTwo(
  choices: readonly ShownChoice[],
  { selected, unseen = 0 }: AnswerState,
  { width, theme }: Canvas,
): readonly Line[] {
  const { dot, pointer, warning } = theme.symbols;
  const shown = unseen === 0 ? choices : UNSEEN_CHOICES;
  const chosen = shown[selected];
  const keys = shown.map(({ key }) => key).join(' ');
  return [
    chosen === undefined
      ? [span('  no answer is chosen', { role: 'dim' })]
      : [
          span(`${pointer} ${chosen.key}`, { role: 'accent', isBold: true }),
          span(`  ${chosen.label}`, { isBold: true }),
        ],
    [
      span(unseen === 0 ? '  ' : `${warning} ${unseen} not shown ${dot} `, { role: 'warning' }),
      span(unseen === 0 ? `${keys} ${dot} arrows` : keys, { role: 'dim' }),
    ],
  ].map((line) => cutSpans(line, width, theme));
}
