// What the user sees before approving a call: the asker, the server and tool, all arguments in full, what the call would
// change, and why approval is needed. Foreign text stands behind a bar, without invisible characters, so that it cannot
// pass for a part of the question.

import { firstParts, isCommandName, partWords, riskWords } from '../../print/command-parts.ts';
import { visible } from '../../print/visible.ts';
import type { PendingApproval } from '../../chat/index.ts';
import { approvalChoices } from './approval-choices.ts';
import { argumentLines, visibleText } from './argument-lines.ts';
import { MAIN_AGENT } from './call-view.ts';
import { choiceLines, keyHints, typedLines } from './choice-lines.ts';
import { colourCode } from './code-colour.ts';
import { changeLines } from './diff-lines.ts';
import { flowLines } from './flow-lines.ts';
import {
  answersInTwoLines,
  eitherQuestion,
  type Frame,
  hasRoomFor,
  type DrawnQuestion,
  drawQuestion,
  drawSmallQuestion,
} from './long-question.ts';
import {
  barred,
  type Canvas,
  cutSpans,
  indented,
  inset,
  type Line,
  span,
  wrapSpans,
} from './spans.ts';
import { windowAround } from './window.ts';

export interface ApprovalState {
  readonly selected: number;
  /** The index of the selected rule; the first by default. */
  readonly rule?: number | undefined;
  /** The arguments as JSON, while they are edited. */
  readonly editing?: string | undefined;
  /** The reason of a denial, while it is typed. */
  readonly reason?: string | undefined;
  /** In the typed text. */
  readonly cursor?: number | undefined;
  /** The problem with the typed text. */
  readonly problem?: string | undefined;
  /** The maximum number of rows; unlimited by default. */
  readonly rows?: number | undefined;
  /** The first line of the call that is shown, if there is no room for all of it. */
  readonly offset?: number | undefined;
  /** After an early yes, the number of lines that were not shown; 0 once all were shown. */
  readonly unseen?: number | undefined;
}

export function drawApproval(
  approval: PendingApproval,
  state: ApprovalState,
  canvas: Canvas,
): DrawnQuestion {
  const inside = inset(canvas, 2);
  const { rows = Number.POSITIVE_INFINITY, offset = 0 } = state;
  const room = { rows, offset, canvas };
  const body = approvalBody(approval, inside);
  // An early yes must not change the frame, which decides what the lines of the body are.
  const tight = tightFrame(approval, { ...state, unseen: undefined }, canvas);
  if (!hasRoomFor(tight, body, rows)) {
    return drawSmallQuestion(
      smallFrame(approval, state, canvas),
      smallBody(approval, body, { state, canvas: inside }),
      room,
    );
  }
  const question = {
    // While the user reads page by page, the body gets all available room.
    roomy:
      state.unseen === undefined
        ? roomyFrame(approval, state, canvas)
        : tightFrame(approval, state, canvas),
    tight: () => tightFrame(approval, state, canvas),
    body,
  };
  return drawQuestion(question, room);
}

function roomyFrame(approval: PendingApproval, state: ApprovalState, canvas: Canvas): Frame {
  const { theme, width } = canvas;
  const inside = inset(canvas, 2);
  return {
    above: [
      cutSpans(headLine(approval, canvas), width, theme),
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
      ...ruleLines(approval, state, inside),
      [],
      ...answerLines(approval, state, canvas),
    ],
  };
}

/** The rule of an approval for longer than this call, in full, and the file that it is written to. */
function ruleLines(
  { kept, offers }: PendingApproval,
  { rule: at = 0, unseen }: ApprovalState,
  canvas: Canvas,
): readonly Line[] {
  const rule = kept?.rules[at];
  if (kept === undefined || rule === undefined || unseen !== undefined) return [];
  const isWritten = offers.includes('always');
  const where = isWritten ? ` (h and a write it into ${visible(kept.file)})` : '';
  const words = typeof rule === 'string' ? rule : JSON.stringify(rule);
  const isWide = WIDE.has(words) ? ', whatever the arguments' : '';
  return indented(
    wrapSpans(
      [
        span(isWritten ? 's, h and a allow ' : 's allows ', { role: 'dim' }),
        span(visible(words)),
        span(`${isWide}${where}`, { role: isWide === '' ? 'dim' : 'warning' }),
      ],
      canvas.width,
    ),
    span('  '),
  );
}

/** Rules that allow much more than the question shows. */
const WIDE = new Set(['workspace/run_command', 'workspace/*_file(.)', 'workspace/web_fetch']);

/** Longer names are cut if there is little room. */
const MOST_WHO = 2;

/** For a screen with few rows: the same answers in a row. */
function tightFrame(approval: PendingApproval, state: ApprovalState, canvas: Canvas): Frame {
  const { theme, width } = canvas;
  const who = whoLines(approval, inset(canvas, 2));
  const isTyping = (state.editing ?? state.reason) !== undefined;
  return {
    above: [
      cutSpans(headLine(approval, canvas), width, theme),
      ...indented(who.slice(0, MOST_WHO), span('  ')),
    ],
    below: isTyping
      ? answerLines(approval, state, canvas)
      : [
          ...ruleLines(approval, state, inset(canvas, 2)),
          ...eitherQuestion(approvalChoices(approval), state, canvas),
        ],
  };
}

/** For a screen with very few rows: the server and tool, the selected answer, and the keys of the others. */
function smallFrame(approval: PendingApproval, state: ApprovalState, canvas: Canvas): Frame {
  const { above } = tightFrame(approval, { ...state, unseen: undefined }, canvas);
  if ((state.editing ?? state.reason) === undefined) {
    return { above, below: answersInTwoLines(approvalChoices(approval), state, canvas) };
  }
  // Without empty lines and key hints.
  const typed = answerLines(approval, state, canvas).filter((line) => line.length > 0);
  return { above, below: typed.slice(0, -keysOfTyping(approval, state, canvas).length) };
}

/** Adds what a larger screen shows around the body. The lines of the body keep their places. */
function smallBody(
  approval: PendingApproval,
  body: readonly Line[],
  { state, canvas }: { readonly state: ApprovalState; readonly canvas: Canvas },
): readonly Line[] {
  if ((state.editing ?? state.reason) !== undefined) return [];
  const who = whoLines(approval, canvas);
  return [
    ...body,
    ...ruleLines(approval, { ...state, unseen: undefined }, canvas),
    ...(who.length > MOST_WHO ? indented(who, span('  ')) : []),
  ];
}

function headLine({ plan }: PendingApproval, { theme }: Canvas): Line {
  return [
    span(`${theme.symbols.warning} `, { role: 'warning' }),
    span(plan === undefined ? 'Allow this call?' : 'Carry out this plan?', { isBold: true }),
  ];
}

function oneVisible(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' ').trim());
}

function whoLines(
  { server, tool, asker, script, plan }: PendingApproval,
  canvas: Canvas,
): readonly Line[] {
  if (plan !== undefined) return [];
  const { dot } = canvas.theme.symbols;
  const who =
    asker === MAIN_AGENT || asker === ''
      ? []
      : [
          span(script === undefined ? '   sub-agent ' : '   by ', { role: 'dim' }),
          span(visible(asker), { role: 'warning' }),
        ];
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

/** Everything that the user has to judge. Scrolling counts these lines. */
export function approvalBody(approval: PendingApproval, canvas: Canvas): readonly Line[] {
  const inside = inset(canvas, 4);
  const blocks = [
    planLines(approval, inside),
    commandLines(approval, inside),
    otherArgumentLines(approval, inside),
    previewLines(approval, inside),
    scriptLines(approval, inside),
  ];
  const flow = flowLines(approval, inside);
  const shown = blocks.filter((lines) => lines.length > 0);
  // Comes first and without a bar, since it is not from the server.
  const above = flow.length === 0 ? [] : [...indented(flow, span('  ')), []];
  const first = riskyPartLines(approval, canvas);
  return [...above, ...first, ...shown.flatMap((lines) => [...barred(lines, canvas.theme), []])];
}

/** The most important parts of a long command, above the whole command. */
function riskyPartLines({ arguments: given }: PendingApproval, canvas: Canvas): readonly Line[] {
  const found = Object.entries(given)
    .filter(([name]) => isCommandName(name))
    .map(([, value]) => firstParts(typeof value === 'string' ? value : ''))
    .filter(({ parts }) => parts.length > 0);
  return found.flatMap(({ parts, others }) => {
    const lines = parts.flatMap((part) =>
      wrapSpans(
        [
          span(`line ${part.line}: `, { role: 'dim' }),
          span(partWords(part)),
          span(` (${riskWords(part.risk)})`, { role: 'warning' }),
        ],
        canvas.width - 4,
      ),
    );
    const rest = others === 0 ? [] : [[span(`and ${others} more`, { role: 'dim' })]];
    const head = [span('  Look at this first:', { role: 'warning' })];
    return [
      cutSpans(head, canvas.width, canvas.theme),
      ...barred([...lines, ...rest], canvas.theme),
      [],
    ];
  });
}

/** A command line is shown as it would be typed. */
function commandLines(approval: PendingApproval, canvas: Canvas): readonly Line[] {
  const command = commandOf(approval);
  if (command === undefined) return [];
  const lines = colourCode(visibleText(command), 'bash').flatMap((line) =>
    wrapSpans(line, canvas.width - 2),
  );
  return indented(lines, span('$ ', { role: 'accent', isBold: true }));
}

function commandOf({ tool, arguments: given }: PendingApproval): string | undefined {
  const command = given['command'];
  return tool === 'run_command' && typeof command === 'string' ? command : undefined;
}

function planLines({ plan }: PendingApproval, canvas: Canvas): readonly Line[] {
  if (plan === undefined) return [];
  return plan
    .trim()
    .split('\n')
    .flatMap((line) => wrapSpans([span(visible(line))], canvas.width));
}

/** The arguments that are not already shown in full in another way. */
function otherArgumentLines(approval: PendingApproval, canvas: Canvas): readonly Line[] {
  if (approval.plan !== undefined) return [];
  const given = Object.entries(approval.arguments);
  const rest = given.filter(([name]) => !isShownElsewhere(name, approval));
  if (given.length === 0) return [[span('no arguments', { role: 'dim' })]];
  return argumentLines(Object.fromEntries(rest), canvas);
}

function isShownElsewhere(name: string, approval: PendingApproval): boolean {
  if (name === 'command') return commandOf(approval) !== undefined;
  const { preview, arguments: given } = approval;
  if (preview === undefined || preview.path !== given['path']) return false;
  const value = given[name];
  if (typeof value !== 'string') return false;
  // Only if the change really contains the value: everything else must be visible.
  if (name === 'content') return preview.after === value;
  if (name === 'old_text') return preview.before.includes(value);
  return name === 'path' || (name === 'new_text' && preview.after.includes(value));
}

function previewLines({ preview }: PendingApproval, canvas: Canvas): readonly Line[] {
  return preview === undefined ? [] : changeLines(preview, canvas);
}

/** The whole script, since an approval can cover all of it. */
function scriptLines({ script }: PendingApproval, canvas: Canvas): readonly Line[] {
  if (script === undefined) return [];
  return [
    [span('the script', { role: 'dim' })],
    ...colourCode(visibleText(script.code), 'ts').flatMap((line) => wrapSpans(line, canvas.width)),
  ];
}

function answerLines(
  approval: PendingApproval,
  state: ApprovalState,
  canvas: Canvas,
): readonly Line[] {
  const typing = state.editing ?? state.reason;
  if (typing === undefined) {
    return [
      ...choiceLines(approvalChoices(approval), state.selected, canvas),
      [],
      ...keyHints(['arrows and Enter, or the letter', 'Esc ends the turn'], canvas),
    ];
  }
  const what = approval.plan === undefined ? 'The arguments, as JSON' : 'The plan';
  const title = state.editing === undefined ? 'No, because' : what;
  const typed = { text: typing, ...(state.cursor === undefined ? {} : { cursor: state.cursor }) };
  return [
    cutSpans([span(`  ${title}`, { isBold: true })], canvas.width, canvas.theme),
    ...indented(typedWindow(typed, state, canvas), span('  ')),
    ...(state.problem === undefined
      ? []
      : indented(
          wrapSpans([span(visible(state.problem), { role: 'bad' })], canvas.width - 2),
          span('  '),
        )),
    [],
    ...keysOfTyping(approval, state, canvas),
  ];
}

function keysOfTyping(
  { plan }: PendingApproval,
  { editing }: ApprovalState,
  canvas: Canvas,
): readonly Line[] {
  const enter =
    editing === undefined
      ? 'Enter denies'
      : plan === undefined
        ? 'Enter lets it run with these'
        : 'Enter takes it over, Alt-Enter is a new line';
  return keyHints([enter, 'Esc goes back'], canvas);
}

/** Whether all of the typed text is on the screen. */
export function fitsTypedText(typed: string, rows: number, canvas: Canvas): boolean {
  const inside = inset(canvas, 2);
  return typedLines({ text: typed }, inside).length <= typedRows(rows);
}

function typedRows(rows: number): number {
  return Math.max(3, rows - TYPING_ROWS);
}

/** The part of a long text around the cursor. */
function typedWindow(
  typed: { readonly text: string; readonly cursor?: number },
  { rows }: ApprovalState,
  canvas: Canvas,
): readonly Line[] {
  const inside = inset(canvas, 2);
  const lines = typedLines(typed, inside);
  if (rows === undefined) return lines;
  const before = typed.text.slice(0, typed.cursor ?? typed.text.length);
  const focus = typedLines({ text: before }, inside).length - 1;
  return windowAround(lines, focus, typedRows(rows)).shown;
}

/** The rows around a typed text: the asker, some lines of the call, the title and the keys. */
const TYPING_ROWS = 13;
