// Messages as lines: the user's text behind a prompt sign, with the attachments below; the model's answer; and its reasoning,
// folded to one line or behind a bar.

import type { UserPart } from '@plugboard/agent';
import { oneLine } from '../../print/sanitise.ts';
import { clean, cleanLine } from './clean.ts';
import { renderMarkdown } from './render-markdown.ts';
import { byteWords, plural } from './sizes.ts';
import { type Canvas, cutSpans, indented, type Line, span, wrapSpans } from './spans.ts';

const GUTTER = 2;
/** Longer lines are hard to read. */
const MOST_COLUMNS = 120;

/** The margin of message text, which has room for a sign, and the columns after it. */
function textRoom(width: number): { readonly margin: number; readonly columns: number } {
  const margin = width > 24 ? GUTTER : 0;
  return { margin, columns: Math.min(MOST_COLUMNS, Math.max(1, width - margin)) };
}

const MOST_TEXT = 20_000;

export function userLines(parts: readonly UserPart[], { width, theme }: Canvas): readonly Line[] {
  const room = Math.max(1, width - GUTTER);
  const text = clean(parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'));
  const wrapped = wrapSpans([span(text.slice(0, MOST_TEXT).trimEnd(), { isBold: true })], room);
  const attached = parts.flatMap((part) => attachedLine(part, { width: room, theme }));
  return [
    ...indented(
      text.trim() === '' ? [] : wrapped,
      span(`${theme.symbols.prompt} `, { role: 'accent', isBold: true }),
      span('  '),
    ),
    ...indented(attached, span('  ')),
  ];
}

/** A typed command. Dimmed, since it is not a message. */
export function commandLines(text: string, { width, theme }: Canvas): readonly Line[] {
  const room = Math.max(1, width - GUTTER);
  const wrapped = wrapSpans([span(clean(text).slice(0, MOST_TEXT), { role: 'dim' })], room);
  return indented(wrapped, span(`${theme.symbols.prompt} `, { role: 'dim' }), span('  '));
}

function attachedLine(part: UserPart, { width, theme }: Canvas): readonly Line[] {
  if (part.kind === 'text') return [];
  const sign = span(`${theme.symbols.attachment} `, { role: 'dim' });
  const { dot } = theme.symbols;
  const [name, size] =
    part.kind === 'image'
      ? [cleanLine(part.mediaType), byteWords(Math.floor(part.data.length * 0.75))]
      : [cleanLine(part.label), plural(part.text.split('\n').length, 'line')];
  return [cutSpans([sign, span(name), span(` ${dot} ${size}`, { role: 'dim' })], width, theme)];
}

/** Returns text instead of spans, since Markdown is rendered to text. */
export function assistantLines(
  text: string,
  { width, theme, isStreaming }: Canvas & { readonly isStreaming: boolean },
): readonly string[] {
  const { margin, columns } = textRoom(width);
  const rendered = renderMarkdown(text, { width: columns, theme, isStreaming });
  if (rendered === '') return [];
  return rendered.split('\n').map((line) => (line === '' ? '' : `${' '.repeat(margin)}${line}`));
}

export function reasoningLines(
  text: string,
  { width, theme, isFolded }: Canvas & { readonly isFolded: boolean },
): readonly Line[] {
  const room = Math.max(1, width - GUTTER);
  const shown = clean(text.slice(0, MOST_TEXT)).trim();
  const style = { role: 'dim', isItalic: true } as const;
  const sign = span(`${theme.symbols.thinking} `, { role: 'dim' });
  if (isFolded) {
    const last = shown.split('\n').findLast((line) => line.trim() !== '') ?? '';
    return indented(
      [cutSpans([span(oneLine(last) === '' ? 'thinking' : oneLine(last), style)], room, theme)],
      sign,
    );
  }
  const bar = span(`${theme.symbols.foldedBar} `, { role: 'dim' });
  return indented(wrapSpans([span(shown, style)], room), sign, bar);
}
