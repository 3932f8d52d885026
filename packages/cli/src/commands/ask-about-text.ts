// Asks a question about a text that may be taller than the screen. The text is shown page by page before the question, so
// that no part of it scrolls by unread.

import type { AskOptions, Terminal } from '../terminal.ts';
import { pagesOf } from '../print/pages.ts';

/** Rows for the question below a page, which may be wider than the screen. */
const QUESTION_ROWS = 3;
const LEAST_ROWS = 3;

/** Anything but a clear yes is a no. */
export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer.trim());
}

/** The answer. `undefined` if the person stops, and `no` if they do not read to the end. */
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
    const typed = await askToContinue(input, left, options);
    if (typed !== 'read') return typed === 'no' ? 'no' : undefined;
  }
  return input.ask(question, options);
}

async function askToContinue(
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
