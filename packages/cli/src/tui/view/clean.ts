// Text of models and servers, with nothing in it that a terminal acts on or that hides: what is left are letters, signs,
// spaces and line ends. Text that a person has to judge goes through `visible` instead, which shows such things.

import { oneLine, sanitise } from '../../print/sanitise.ts';
import { widthOf } from '../../print/width.ts';

/** What has no shape of its own or turns the direction of writing; but for the mark that makes a sign an emoji. */
const SHAPELESS = /(?!\uFE0F)[\p{Default_Ignorable_Code_Point}\u061C\u2800]/gu;
const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085\u000B\u000C]/gu;
const HALVES = /\p{Surrogate}/gu;
const TAB = 4;

export function clean(text: string): string {
  const lines = sanitise(text.replaceAll(LINE_ENDS, '\n').replaceAll(HALVES, '\uFFFD')).replaceAll(
    SHAPELESS,
    '',
  );
  return lines.includes('\t') ? lines.split('\n').map(withoutTabs).join('\n') : lines;
}

/** The same on one line. */
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
