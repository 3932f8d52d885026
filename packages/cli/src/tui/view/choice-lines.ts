// A list of answers with their keys, one of them selected; and a text field.

import { charactersOf } from '../../print/width.ts';
import { visible } from '../../print/visible.ts';
import { type Canvas, cutSpans, indented, type Line, lineWidth, span, wrapSpans } from './spans.ts';

export interface KeyChoice {
  readonly key: string;
  readonly label: string;
}

export function choiceLines(
  choices: readonly KeyChoice[],
  selected: number,
  canvas: Canvas,
): readonly Line[] {
  const { symbols } = canvas.theme;
  return choices.map(({ key, label }, index) => {
    const isChosen = index === selected;
    const line = [
      span(isChosen ? `${symbols.pointer} ` : '  ', { role: 'accent', isBold: true }),
      span(key, { role: isChosen ? 'accent' : 'dim', isBold: isChosen }),
      span(key === '' ? label : `  ${label}`, isChosen ? { isBold: true } : {}),
    ];
    return cutSpans(line, canvas.width, canvas.theme);
  });
}

/** The same answers in a row, for a screen with few rows. No answer is wrapped. */
export function choicesInARow(
  choices: readonly KeyChoice[],
  selected: number,
  { width, theme }: Canvas,
): readonly Line[] {
  const { dot } = theme.symbols;
  const room = Math.max(1, width - 2);
  const rows: Line[] = [];
  choices.forEach(({ key, label }, index) => {
    const isChosen = index === selected;
    const choice: Line = [
      span(key, { role: isChosen ? 'accent' : 'dim', isBold: isChosen }),
      span(` ${label}`, isChosen ? { isBold: true, isUnderlined: true } : {}),
    ];
    const last = rows.at(-1);
    const longer =
      last === undefined ? choice : [...last, span(` ${dot} `, { role: 'dim' }), ...choice];
    if (last === undefined || lineWidth(longer) > room) rows.push(choice);
    else rows[rows.length - 1] = longer;
  });
  return indented(
    rows.map((row) => cutSpans(row, room, theme)),
    span('  '),
    span('  '),
  );
}

export interface TypedText {
  readonly text: string;
  /** In code units, where the next character goes. */
  readonly cursor?: number;
}

/** The text with the cursor underlined; marked by a character if there is nothing to underline. */
export function typedLines(
  { text, cursor = text.length }: TypedText,
  canvas: Canvas,
): readonly Line[] {
  const { theme } = canvas;
  const [at = '', ...after] = charactersOf(text.slice(cursor));
  const isMarked = at === '' || at === '\n' || theme.depth === 'none';
  const caret = span(isMarked ? '_' : visibleLines(at), {
    role: 'accent',
    isUnderlined: !isMarked,
    isBold: true,
  });
  const rest = `${isMarked ? at : ''}${after.join('')}`;
  const room = canvas.width - 2;
  const bar = span(`${theme.symbols.typed} `, { role: 'accent' });
  return indented(
    wrapSpans([span(visibleLines(text.slice(0, cursor))), caret, span(visibleLines(rest))], room),
    bar,
    bar,
  );
}

function visibleLines(text: string): string {
  return text
    .replaceAll('\t', '  ')
    .split('\n')
    .map((line) => visible(line))
    .join('\n');
}

/** Hints about keys, dimmed. */
export function keyHints(hints: readonly string[], { width, theme }: Canvas): readonly Line[] {
  // Non-breaking spaces, so that no hint is wrapped.
  const glued = hints.map((hint) => hint.replaceAll(' ', '\u00A0')).join(` ${theme.symbols.dot} `);
  const lines = wrapSpans([span(glued, { role: 'dim' })], width - 2);
  const shownLines = lines.map((line) =>
    line.map((one) => ({ ...one, text: one.text.replaceAll('\u00A0', ' ') })),
  );
  return indented(shownLines, span('  '));
}
