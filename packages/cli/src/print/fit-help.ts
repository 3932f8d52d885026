// Help on a screen that is narrower than it was written for: prose is broken between words, and what is said about a term or an example
// goes below it. A command line stays one line, so that it can be copied.

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

/** Lines of prose that follow each other, and every other line by itself. */
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
  const [term = '', said, ...more] = parts;
  if (more.length > 0) return packed(parts, { columns, indent });
  const above = line.startsWith(EXAMPLE)
    ? [`${indent}${term}`]
    : wrapTo(term, Math.max(1, columns - indent.length)).map((part) => `${indent}${part}`);
  if (said === undefined) return above;
  const below = wrapTo(said, Math.max(1, columns - BELOW.length));
  return [...above, ...below.map((part) => `${BELOW}${part}`)];
}

/** Of a list in one line, as many parts in each as fit. */
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
