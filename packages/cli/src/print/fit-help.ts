// Fits help text to a narrow screen: prose is wrapped, and the explanation of a term or an example moves below it. A command
// line stays on one line, so that it can be copied.

import { widthOf, wrapTo } from './width.ts';

const BELOW = '      ';
const EXAMPLE = '  $ ';
const GAP = '   ';

export function fitHelp(text: string, columns: number): string {
  return paragraphsOf(text.split('\n'))
    .flatMap((lines) =>
      lines.some((line) => widthOf(line) > columns) ? fit(lines, columns) : lines,
    )
    .join('\n');
}

/** Consecutive lines of prose are one paragraph, and every other line is its own. */
function paragraphsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const paragraphs: string[][] = [];
  let prose: string[] | undefined;
  for (const line of lines) {
    const isProse = line !== '' && !line.startsWith(' ');
    if (isProse && prose !== undefined) prose.push(line);
    else {
      const paragraph = [line];
      paragraphs.push(paragraph);
      prose = isProse ? paragraph : undefined;
    }
  }
  return paragraphs;
}

function fit(lines: readonly string[], columns: number): readonly string[] {
  const [line = ''] = lines;
  if (!line.startsWith(' ')) return wrapTo(lines.join(' '), columns);
  const indent = line.slice(0, line.length - line.trimStart().length);
  const parts = line.trim().split(/ {2,}/);
  const [term = '', explanation, ...more] = parts;
  if (more.length > 0) return packed(parts, { columns, indent });
  const above = line.startsWith(EXAMPLE)
    ? [`${indent}${term}`]
    : wrapTo(term, Math.max(1, columns - indent.length)).map((part) => `${indent}${part}`);
  if (explanation === undefined) return above;
  const below = wrapTo(explanation, Math.max(1, columns - BELOW.length));
  return [...above, ...below.map((part) => `${BELOW}${part}`)];
}

/** Spreads the parts of a one-line list over as many lines as necessary. */
function packed(
  parts: readonly string[],
  { columns, indent }: { readonly columns: number; readonly indent: string },
): readonly string[] {
  return parts.reduce<readonly string[]>((lines, part) => {
    const longer = `${lines.at(-1) ?? ''}${GAP}${part}`;
    return lines.length > 0 && widthOf(longer) <= columns
      ? [...lines.slice(0, -1), longer]
      : [...lines, `${indent}${part}`];
  }, []);
}
