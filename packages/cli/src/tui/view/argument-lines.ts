// The arguments of a call in readable form. Invisible characters are shown as their code, since users decide by what they
// see here.

import type { Json, JsonObject } from '@plugboard/base';
import { condensed, visible } from '../../print/visible.ts';
import { widthOf } from '../../print/width.ts';
import { colourCode } from './code-colour.ts';
import { type Canvas, indented, type Line, span, wrapSpans } from './spans.ts';

const MAX_NAME_COLUMNS = 20;

/** All arguments in full. */
export function argumentLines(given: JsonObject, canvas: Canvas): readonly Line[] {
  const entries = Object.entries(given);
  const names = entries.map(([name]) => visible(name));
  const column = Math.min(MAX_NAME_COLUMNS, Math.max(0, ...names.map((name) => widthOf(name))));
  return entries.flatMap(([name, value]) => argument(visible(name), value, { ...canvas, column }));
}

function argument(
  name: string,
  value: Json,
  canvas: Canvas & { readonly column: number },
): readonly Line[] {
  const { width, column } = canvas;
  const nameWidth = widthOf(name);
  const isBeside = nameWidth <= column && width - column - 2 >= 16;
  const room = Math.max(1, isBeside ? width - column - 2 : width - 2);
  const lines = valueLines(value, room);
  if (!isBeside) {
    return [...wrapSpans([span(name, { role: 'dim' })], width), ...indented(lines, span('  '))];
  }
  return indented(
    lines,
    span(`${name}${' '.repeat(column - nameWidth)}  `, { role: 'dim' }),
    span(' '.repeat(column + 2)),
  );
}

function valueLines(value: Json, width: number): readonly Line[] {
  if (typeof value === 'string') {
    const text = visibleText(value);
    const isBlankLine = !text.includes('\n') && text.trim() === '';
    return wrapSpans([span(isBlankLine ? `"${text}"` : text)], width);
  }
  const short = JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
  const written = widthOf(short) <= width ? short : JSON.stringify(value, undefined, 2);
  return written
    .split('\n')
    .flatMap((line) =>
      colourCode(visible(condensed(line)), 'json').flatMap((one) => wrapSpans(one, width)),
    );
}

/** A text of several lines with everything in it visible. */
export function visibleText(text: string): string {
  return condensed(text)
    .replaceAll('\t', '    ')
    .split('\n')
    .map((line) => visible(line))
    .join('\n');
}

/** The main argument of a call is shown without its name if it comes first. */
const LEADING = new Set(['path', 'command', 'query', 'url', 'uri', 'pattern', 'file', 'prompt']);

/** The arguments on one line, for the head of a call. */
export function shortArguments(given: JsonObject): string {
  const entries = Object.entries(given);
  return entries
    .map(([name, value], index) => {
      const isPlain =
        typeof value === 'string' && (entries.length === 1 || (index === 0 && LEADING.has(name)));
      return isPlain ? shortValue(value) : `${visible(name)}=${shortValue(value)}`;
    })
    .join('  ');
}

function shortValue(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return visible(text.slice(0, 400).replaceAll(/\s+/g, ' ').trim());
}
