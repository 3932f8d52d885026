// Removes from the text of models and servers everything that a terminal acts on or that is invisible. Text that the user has
// to judge goes through `visible` instead, which shows such characters.

import { oneLine, sanitise } from '../../print/sanitise.ts';
import { widthOf } from '../../print/width.ts';

/** Invisible characters and those that change the writing direction, except the variation selector of emoji. */
const INVISIBLE = /(?!\uFE0F)[\p{Default_Ignorable_Code_Point}\u061C\u2800]/gu;
const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085\u000B\u000C]/gu;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const TAB = 4;

export function clean(text: string): string {
  const lines = sanitise(
    text.replaceAll(LINE_ENDS, '\n').replaceAll(LONE_SURROGATES, '\uFFFD'),
  ).replaceAll(INVISIBLE, '');
  return lines.includes('\t') ? lines.split('\n').map(withoutTabs).join('\n') : lines;
}

/** Cleans a text and puts it on one line. */
export function cleanLine(text: string): string {
  return oneLine(clean(text));
}

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  const [first = '', ...others] = line.split('\t');
  let spread = first;
  for (const piece of others) spread += ' '.repeat(TAB - (widthOf(spread) % TAB)) + piece;
  return spread;
}
