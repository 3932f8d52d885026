// What a person sees before they let a call run: who asks, of which server which tool, with which arguments, whole, what it
// would change, and why they are asked. What others wrote stands behind a bar, with nothing in it that cannot be seen, so
// that it cannot pass for a part of the question.

import { visible } from '../../print/visible.ts';
import type { AskedApproval } from '../../chat/index.ts';
import { approvalChoices } from './approval-choices.ts';
import { argumentLines } from './argument-lines.ts';
import { MAIN_AGENT } from './call-view.ts';
import { choiceLines, choicesInARow, keyHints, typedLines } from './choice-lines.ts';
import { colourCode } from './code-colour.ts';
import { changeLines } from './diff-lines.ts';
import { flowLines } from './flow-lines.ts';
import { plural } from './sizes.ts';
import { type Canvas, cutSpans, indented, type Line, span, wrapSpans } from './spans.ts';
import { windowAround, windowFrom } from './window.ts';

export interface ApprovalState {
  readonly selected: number;
  /** The arguments as JSON, while they are edited. */
  readonly editing?: string | undefined;
  /** Why not, while it is typed. */
  readonly reason?: string | undefined;
  /** Of what is typed. */
  readonly cursor?: number | undefined;
  /** What is wrong with what was typed. */
  readonly problem?: string | undefined;
  /** How many rows all of it may take; as many as it needs, unless given. */
  readonly rows?: number | undefined;
  /** From which of its lines on the call is shown, where there is no room for all of it. */
  readonly offset?: number | undefined;
}

export function approvalLines(
  approval: AskedApproval,
  state: ApprovalState,
  canvas: Canvas,
): readonly Line[] {
  const roomy = roomyFrame(approval, state, canvas);
  const inside = { ...canvas, width: Math.max(1, canvas.width - 2) };
  const body = approvalBody(approval, inside);
  const { rows = Number.POSITIVE_INFINITY } = state;
  const free = rows - sizeOf(roomy);
  if (free >= body.length) return filled(roomy, body);
  if (free >= LEAST_BODY + NOTE_ROWS) return filled(roomy, windowed(body, free, { state, canvas }));
  const tight = tightFrame(approval, state, canvas);
  const left = Math.max(LEAST_BODY + NOTE_ROWS, rows - sizeOf(tight));
  return filled(tight, windowed(body, left, { state, canvas }));
}

/** What stands around the call that is asked about. */
interface Frame {
  readonly above: readonly Line[];
  readonly below: readonly Line[];
}

/** Fewer lines of a call than this tell nothing. */
const LEAST_BODY = 2;
/** That there is more than is shown. */
const NOTE_ROWS = 1;

function sizeOf({ above, below }: Frame): number {
  return above.length + below.length;
}

function filled({ above, below }: Frame, body: readonly Line[]): readonly Line[] {
  return [...above, ...body, ...below];
}

function roomyFrame(approval: AskedApproval, state: ApprovalState, canvas: Canvas): Frame {
  const { theme, width } = canvas;
  const inside = { ...canvas, width: Math.max(1, width - 2) };
  return {
    above: [
      cutSpans(headLine(canvas), width, theme),
      ...indented(whoLines(approval, inside), span('  ')),
      [],
    ],
    below: [
      ...indented(
        wrapSpans(
          [span(`asked because: ${oneVisible(approval.why)}`, { role: 'dim' })],
          inside.width,
        ),
        span('  '),
      ),
      [],
      ...answering(approval, state, canvas),
    ],
  };
}

/** For a screen of few rows: the same answers, one after the other. */
function tightFrame(approval: AskedApproval, state: ApprovalState, canvas: Canvas): Frame {
  const { theme, width } = canvas;
  const who = whoLines(approval, { ...canvas, width: Math.max(1, width - 2) });
  const isTyping = (state.editing ?? state.reason) !== undefined;
  return {
    above: [cutSpans(headLine(canvas), width, theme), ...indented(who.slice(0, 2), span('  '))],
    below: isTyping
      ? answering(approval, state, canvas)
      : choicesInARow(approvalChoices(approval), state.selected, canvas),
  };
}

function headLine({ theme }: Canvas): Line {
  return [
    span(`${theme.symbols.warning} `, { role: 'warning' }),
    span('Allow this call?', { isBold: true }),
  ];
}

function oneVisible(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' ').trim());
}

function whoLines({ server, tool, asker }: AskedApproval, canvas: Canvas): readonly Line[] {
  const { dot } = canvas.theme.symbols;
  const who =
    asker === MAIN_AGENT || asker === ''
      ? []
      : [span('   sub-agent ', { role: 'dim' }), span(visible(asker), { role: 'warning' })];
  return wrapSpans(
    [
      span(visible(server)),
      span(` ${dot} `, { role: 'dim' }),
      span(visible(tool), { isBold: true, role: 'accent' }),
      ...who,
    ],
    canvas.width,
  );
}

/** All that is to be judged. Whoever scrolls counts these. */
export function approvalBody(approval: AskedApproval, canvas: Canvas): readonly Line[] {
  const inside = { ...canvas, width: Math.max(1, canvas.width - 4) };
  const bar = span(`  ${canvas.theme.symbols.bar} `, { role: 'dim' });
  const blocks = [
    commandLines(approval, inside),
    givenLines(approval, inside),
    previewLines(approval, inside),
  ];
  const flow = flowLines(approval, inside);
  const shown = blocks.filter((lines) => lines.length > 0);
  // It comes first, and is not from the server: no bar.
  const above = flow.length === 0 ? [] : [...indented(flow, span('  ')), []];
  return [...above, ...shown.flatMap((lines) => [...indented(lines, bar, bar), []])];
}

/** A command line stands by itself, as it would be typed. */
function commandLines(approval: AskedApproval, canvas: Canvas): readonly Line[] {
  const command = commandOf(approval);
  if (command === undefined) return [];
  const shown = command
    .replaceAll('\t', '    ')
    .split('\n')
    .map((line) => visible(line))
    .join('\n');
  const lines = colourCode(shown, 'bash').flatMap((line) =>
    wrapSpans(line, Math.max(1, canvas.width - 2)),
  );
  return indented(lines, span('$ ', { role: 'accent', isBold: true }));
}

function commandOf({ tool, arguments: given }: AskedApproval): string | undefined {
  const command = given['command'];
  return tool === 'run_command' && typeof command === 'string' ? command : undefined;
}

/** What is shown in another way, and whole, is not shown twice. */
function givenLines(approval: AskedApproval, canvas: Canvas): readonly Line[] {
  const given = Object.entries(approval.arguments);
  const rest = given.filter(([name]) => !isShownElsewhere(name, approval));
  if (given.length === 0) return [[span('no arguments', { role: 'dim' })]];
  return argumentLines(Object.fromEntries(rest), canvas);
}

function isShownElsewhere(name: string, approval: AskedApproval): boolean {
  if (name === 'command') return commandOf(approval) !== undefined;
  const { preview, arguments: given } = approval;
  if (preview === undefined || preview.path !== given['path']) return false;
  const value = given[name];
  if (typeof value !== 'string') return false;
  // Only what the change really holds: whatever else was asked for is to be seen.
  if (name === 'content') return preview.after === value;
  if (name === 'old_text') return preview.before.includes(value);
  return name === 'path' || (name === 'new_text' && preview.after.includes(value));
}

function previewLines({ preview }: AskedApproval, canvas: Canvas): readonly Line[] {
  return preview === undefined ? [] : changeLines(preview, canvas);
}

/** A window on more than there is room for, which says how much is above and below it. */
function windowed(
  lines: readonly Line[],
  rows: number,
  { state, canvas }: { readonly state: ApprovalState; readonly canvas: Canvas },
): readonly Line[] {
  if (lines.length <= rows) return lines;
  const hasGap = rows > LEAST_BODY + NOTE_ROWS + 1;
  const room = rows - NOTE_ROWS - (hasGap ? 1 : 0);
  const { shown, above, below } = windowFrom(lines, state.offset ?? 0, room);
  const { ellipsis, dot } = canvas.theme.symbols;
  const words = [
    ...(above > 0 ? [`${above} above`] : []),
    ...(below > 0 ? [`${plural(below, 'more line')} below`] : []),
  ];
  const more = `  ${ellipsis} ${words.join(', ')} ${dot} PgUp, PgDn`;
  const note = cutSpans([span(more, { role: 'warning' })], canvas.width, canvas.theme);
  return [...shown, note, ...(hasGap ? [[]] : [])];
}

function answering(approval: AskedApproval, state: ApprovalState, canvas: Canvas): readonly Line[] {
  const typing = state.editing ?? state.reason;
  if (typing === undefined) {
    return [
      ...choiceLines(approvalChoices(approval), state.selected, canvas),
      [],
      ...keyHints(['arrows and Enter, or the letter', 'Esc ends the turn'], canvas),
    ];
  }
  const title = state.editing === undefined ? 'No, because' : 'The arguments, as JSON';
  const typed = { text: typing, ...(state.cursor === undefined ? {} : { cursor: state.cursor }) };
  return [
    cutSpans([span(`  ${title}`, { isBold: true })], canvas.width, canvas.theme),
    ...indented(typedWindow(typed, state, canvas), span('  ')),
    ...(state.problem === undefined
      ? []
      : indented(
          wrapSpans([span(visible(state.problem), { role: 'bad' })], Math.max(1, canvas.width - 2)),
          span('  '),
        )),
    [],
    ...keyHints(
      [
        state.editing === undefined ? 'Enter denies' : 'Enter lets it run with these',
        'Esc goes back',
      ],
      canvas,
    ),
  ];
}

/** Of a long text the part around the cursor. */
function typedWindow(
  typed: { readonly text: string; readonly cursor?: number },
  { rows }: ApprovalState,
  canvas: Canvas,
): readonly Line[] {
  const inside = { ...canvas, width: Math.max(1, canvas.width - 2) };
  const lines = typedLines(typed, inside);
  if (rows === undefined) return lines;
  const before = typed.text.slice(0, typed.cursor ?? typed.text.length);
  const focus = typedLines({ text: before }, inside).length - 1;
  return windowAround(lines, focus, Math.max(3, rows - TYPING_ROWS)).shown;
}

/** What is around a text that is typed: who asks, some lines of the call, the title and the keys. */
const TYPING_ROWS = 13;
