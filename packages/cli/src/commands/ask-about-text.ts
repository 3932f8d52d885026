// A question on a terminal about a text that may be taller than the screen. It is asked once all of the text was on the
// screen: page by page, so that no part scrolls by unread.

import type { AskOptions, Terminal } from '../terminal.ts';
import { pagesOf } from '../print/pages.ts';

/** For the question below a page, which may be wider than the screen. */
const QUESTION_ROWS = 3;
const LEAST_ROWS = 3;

/** Anything but a clear yes is a no. */
export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer.trim());
}

/** What was typed; `undefined` when the person wants to stop; and `no` where they did not read to the end. */
export async function askAboutText(
  { err, input, signal }: Pick<Terminal, 'err' | 'input'> & Pick<AskOptions, 'signal'>,
  text: string,
  question: string,
): Promise<string | undefined> {
  const options = signal === undefined ? {} : { signal };
  const { columns, rows = Number.POSITIVE_INFINITY } = err;
  const pages = pagesOf(text, { columns, rows: Math.max(LEAST_ROWS, rows - QUESTION_ROWS) });
  for (const { text: page, left } of pages) {
    err.write(page);
    if (left === 0) continue;
    const typed = await untilRead(input, left, options);
    if (typed !== 'read') return typed === 'no' ? 'no' : undefined;
  }
  return input.ask(question, options);
}

async function untilRead(
  input: Terminal['input'],
  left: number,
  options: Pick<AskOptions, 'signal'>,
): Promise<'read' | 'no' | undefined> {
  for (;;) {
    const lines = left === 1 ? '1 line was' : `${left} lines were`;
    const typed = await input.ask(`${lines} not shown yet. Enter shows more, n is no: `, options);
    if (typed === undefined) return undefined;
    const word = typed.trim().toLowerCase();
    if (word === '') return 'read';
    if (word === 'n' || word === 'no') return 'no';
  }
}
