// `read_file`: lines of a text file, as many as fit into one answer, with a cursor for the next ones.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import type { FilePage } from '../../scan/index.ts';
import { numberedLines } from './numbered-lines.ts';
import { cursorAt, positionOf } from './position-cursor.ts';
import { defineTool, inputOf } from './tool.ts';
import { withheldWords } from './withheld.ts';

const PAGE_BYTES = 64 * 1024;

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Reads a text file, or some lines of it, with line numbers. Large files come in pages: call again with next_cursor. ' +
    'Example: {"path": "src/retry.ts", "start_line": 10, "end_line": 40}.',
  input: inputOf({
    path: z.string().describe('Relative to the root'),
    start_line: z.int().min(1).optional().describe('The first line is 1'),
    end_line: z.int().min(1).optional().describe('The last line to read'),
    cursor: z.string().optional().describe('next_cursor of the page before; counts for start_line'),
    ignored: z
      .boolean()
      .default(false)
      .describe('Also a file that an ignore file leaves out, or that looks like a secret'),
  }),
  async run({ path, start_line, end_line, cursor, ignored }, { parts, signal }) {
    const from = positionOf(cursor, path);
    if (!from.ok) return toolFailure(from.error);
    const startLine = cursor === undefined ? (start_line ?? 1) : from.value;
    if (end_line !== undefined && end_line < startLine) {
      return toolFailure(
        `end_line (${end_line}) comes before the first line to read (${startLine})`,
      );
    }
    const withheld = await withheldWords(path, parts, ignored);
    if (withheld !== undefined) return toolFailure(withheld);
    const range = { startLine, endLine: end_line, maxBytes: PAGE_BYTES };
    const read = await parts.root.read(path, range, signal);
    if (!read.ok) return toolFailure(read.error.message);
    const page = read.value;
    const isMore = !page.isEnd && (end_line === undefined || page.endLine < end_line);
    const next = isMore ? cursorAt(path, page.endLine + 1) : undefined;
    return { kind: 'done', text: pageText(page, next), data: pageData(page, next) };
  },
});

function pageData(page: FilePage, next: string | undefined) {
  return {
    path: page.path,
    text: page.text,
    start_line: page.startLine,
    end_line: page.endLine,
    size: page.size,
    is_end: page.isEnd,
    ...(page.cutLines.length === 0 ? {} : { cut_lines: [...page.cutLines] }),
    ...(page.hasInvalidText ? { has_invalid_text: true } : {}),
    ...(next === undefined ? {} : { next_cursor: next }),
  };
}

function pageText(page: FilePage, next: string | undefined): string {
  const notes = [
    ...(page.cutLines.length === 0
      ? []
      : [`Only the beginning is shown of line ${page.cutLines.slice(0, 20).join(', ')}.`]),
    ...(page.hasInvalidText ? ['Lines that are no UTF-8 were read as Latin-1.'] : []),
    ...(next === undefined
      ? []
      : [`Lines ${page.startLine}-${page.endLine}. The next page: cursor "${next}"`]),
  ];
  const lines = numberedLines(page.text, page.startLine);
  return notes.length === 0 ? lines : `${lines}\n[${notes.join(' ')}]`;
}
