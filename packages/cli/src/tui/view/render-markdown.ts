// Renders Markdown for a terminal, as lines that fit the width and are complete in themselves. Never fails: what it cannot parse
// is shown as plain text. Control characters are removed before parsing.

import { Lexer, type Token, type Tokens } from 'marked';
import { widthOf } from '../../print/width.ts';
import { clean } from './clean.ts';
import { colourCode } from './code-colour.ts';
import { blocksOf } from './markdown-blocks.ts';
import { inlineSpans } from './markdown-inline.ts';
import { tableLines } from './markdown-table.ts';
import { mendMarkdown } from './mend-markdown.ts';
import { type Canvas, indented, type Line, span, toAnsi, wrapSpans } from './spans.ts';
import { DEFAULT_THEME, type Style, type Theme } from './theme.ts';

export interface MarkdownOptions {
  readonly width: number;
  readonly theme?: Theme;
  /** Whether more text is going to arrive. */
  readonly isStreaming?: boolean;
}

/** Deeper or longer text is not readable, and parsing it could take forever. */
const MOST_DEPTH = 12;
const MOST_BLOCK = 9000;
const MOST_CODE = 60_000;
const MOST_TEXT = 500_000;
const NESTED = /(?:> ?){30}|(?:[-*+] +){30}/;

export function renderMarkdown(text: string, options: MarkdownOptions): string {
  const { width, theme = DEFAULT_THEME, isStreaming = false } = options;
  const canvas: Canvas = { width: Math.max(1, Math.floor(width)), theme };
  const shown = clean(text.slice(0, MOST_TEXT));
  const blocks = blocksOf(shown).filter((block) => block.trim() !== '');
  const drawn = blocks.map((block, index) =>
    blockLines(block, canvas, isStreaming && index === blocks.length - 1),
  );
  const more =
    text.length > MOST_TEXT
      ? [wrapSpans([span('(the rest is too long to be shown)', { role: 'dim' })], canvas.width)]
      : [];
  return [...drawn, ...more]
    .map((lines) => lines.map((line) => toAnsi(line, theme).trimEnd()).join('\n'))
    .filter((block) => block !== '')
    .join('\n\n');
}

function blockLines(block: string, canvas: Canvas, isStreaming: boolean): readonly Line[] {
  if (isTooLargeToParse(block)) return plainLines(block, canvas);
  const whole = isStreaming ? mendMarkdown(block) : block;
  try {
    return tokenLines(new Lexer({ gfm: true }).lex(whole.replace(/\n+$/, '')), canvas, 0);
  } catch {
    // Nested too deeply for the parser. Shown as text.
    return plainLines(block, canvas);
  }
}

function isTooLargeToParse(block: string): boolean {
  if (/^ {0,3}(?:```|~~~)/.test(block)) return block.length > MOST_CODE;
  return block.length > (block.startsWith('|') ? MOST_CODE : MOST_BLOCK) || NESTED.test(block);
}

function plainLines(block: string, canvas: Canvas): readonly Line[] {
  return wrapSpans([span(block.trimEnd())], canvas.width);
}

/** Blocks with an empty line between them. */
function tokenLines(tokens: readonly Token[], canvas: Canvas, depth: number): readonly Line[] {
  const blocks = tokens
    .filter(({ type }) => type !== 'space' && type !== 'def' && type !== 'checkbox')
    .map((token) => oneBlock(token as Tokens.Generic, canvas, depth))
    .filter((lines) => lines.length > 0);
  return blocks.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]));
}

function oneBlock(token: Tokens.Generic, canvas: Canvas, depth: number): readonly Line[] {
  if (depth > MOST_DEPTH || canvas.width < 4) return plainLines(token.raw, canvas);
  switch (token.type) {
    case 'heading':
      return headingLines(token as Tokens.Heading, canvas);
    case 'code':
      return codeLines(token as Tokens.Code, canvas);
    case 'list':
      return listLines(token as Tokens.List, canvas, depth);
    case 'blockquote':
      return quoteLines(token as Tokens.Blockquote, canvas, depth);
    case 'table':
      return tableLines(token as Tokens.Table, canvas);
    case 'hr':
      return [
        [span(canvas.theme.symbols.line.repeat(Math.min(canvas.width, 40)), { role: 'dim' })],
      ];
    case 'html':
      return plainLines(token.raw, canvas);
    default:
      return wrapSpans(
        token.tokens === undefined ? [span(token.raw)] : inlineSpans(token.tokens),
        canvas.width,
      );
  }
}

const HEADINGS: readonly Style[] = [
  { isBold: true, role: 'accent' },
  { isBold: true },
  { isBold: true, isItalic: true },
];

/** Without colour, headings keep their marks, to tell them apart from text. */
function headingLines({ depth, tokens }: Tokens.Heading, canvas: Canvas): readonly Line[] {
  const style = HEADINGS[Math.min(depth, HEADINGS.length) - 1] ?? {};
  const marks = canvas.theme.depth === 'none' ? [span(`${'#'.repeat(depth)} `)] : [];
  return wrapSpans([...marks, ...inlineSpans(tokens, style)], canvas.width);
}

function codeLines({ text, lang }: Tokens.Code, canvas: Canvas): readonly Line[] {
  const language =
    (lang ?? '')
      .trim()
      .split(/[\s,{:]/)[0]
      ?.toLowerCase() ?? '';
  const margin = span('  ');
  const lines = colourCode(text, language).flatMap((line) => wrapCode(line, canvas.width - 2));
  return indented(lines, margin);
}

/** Wraps anywhere: in code, a space is a character like any other. */
function wrapCode(line: Line, columns: number): readonly Line[] {
  const glued = line.map((one) => ({ ...one, text: one.text.replaceAll(' ', '\u00A0') }));
  return wrapSpans(glued, columns).map((part) =>
    part.map((one) => ({ ...one, text: one.text.replaceAll('\u00A0', ' ') })),
  );
}

function quoteLines({ tokens }: Tokens.Blockquote, canvas: Canvas, depth: number): readonly Line[] {
  const bar = span(`${canvas.theme.symbols.bar} `, { role: 'accent' });
  const inside = { ...canvas, width: canvas.width - 2 };
  return indented(tokenLines(tokens, inside, depth + 1), bar, bar);
}

function listLines(list: Tokens.List, canvas: Canvas, depth: number): readonly Line[] {
  const start = typeof list.start === 'number' ? list.start : 1;
  const markers = list.items.map((item, index) =>
    markerOf(list, item, { number: start + index, depth, canvas }),
  );
  const room = Math.max(0, ...markers.map(({ text }) => widthOf(text)));
  return list.items.flatMap((item, index) => {
    const marker = markers[index] ?? span('');
    const padded = span(`${' '.repeat(room - widthOf(marker.text))}${marker.text} `, marker.style);
    const inside = { ...canvas, width: Math.max(1, canvas.width - room - 1) };
    const lines = indented(itemLines(item, inside, depth), padded);
    return index > 0 && list.loose ? [[], ...lines] : lines;
  });
}

interface MarkerPlace {
  readonly number: number;
  readonly depth: number;
  readonly canvas: Canvas;
}

function markerOf(
  list: Tokens.List,
  item: Tokens.ListItem,
  { number, depth, canvas }: MarkerPlace,
): { text: string; style: Style } {
  const { symbols } = canvas.theme;
  if (item.task) {
    return item.checked === true
      ? { text: symbols.checked, style: { role: 'good' } }
      : { text: symbols.unchecked, style: { role: 'dim' } };
  }
  if (list.ordered) return { text: `${number}.`, style: { role: 'dim' } };
  return { text: symbols.bullets[depth % symbols.bullets.length] ?? '-', style: { role: 'dim' } };
}

/** A nested list follows its item directly; other blocks have an empty line before them. */
function itemLines(item: Tokens.ListItem, canvas: Canvas, depth: number): readonly Line[] {
  const lines: Line[] = [];
  for (const token of item.tokens) {
    if (token.type === 'space' || token.type === 'checkbox') continue;
    const block = oneBlock(token, canvas, depth + 1);
    if (lines.length > 0 && token.type !== 'list' && token.type !== 'text') lines.push([]);
    lines.push(...block);
  }
  return lines.length === 0 ? [[]] : lines;
}
