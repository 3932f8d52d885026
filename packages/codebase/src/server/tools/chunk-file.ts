// `chunk_file`: the chunks of a file, with their text.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import { chunkData, chunkTextFile } from './chunk-text-file.ts';
import { numberedLines } from './numbered-lines.ts';
import { cursorAt, positionOf } from './position-cursor.ts';
import { defineTool, inputOf } from './tool.ts';
import { shownPath } from './shown-path.ts';

/** The most characters of text in one answer. */
const TEXT_BUDGET = 16_000;

export const chunkFile = defineTool({
  name: 'chunk_file',
  title: 'Cut a file into chunks',
  description:
    'Cuts a file into functions, classes and sections as its syntax has them, with lines, symbols and text, ' +
    'about 4000 tokens a page: call again with next_cursor. Example: {"path": "src/retry.ts"}.',
  input: inputOf({
    path: z.string().describe('Relative to the root'),
    cursor: z.string().optional().describe('next_cursor of the page before'),
  }),
  async run({ path, cursor }, { parts, signal }) {
    const from = positionOf(cursor, path);
    if (!from.ok) return toolFailure(from.error);
    const cut = await chunkTextFile(path, parts, signal);
    if (!cut.ok) return toolFailure(cut.error);
    const { language, how, text, chunks } = cut.value;
    const first = from.value;
    let end = first;
    for (let room = TEXT_BUDGET; end < chunks.length && room > 0; end += 1) {
      const { start, end: stop } = chunks[end] ?? { start: 0, end: 0 };
      room -= stop - start;
    }
    const page = chunks.slice(first, end).map((chunk) => ({
      ...chunkData(chunk),
      names: [...chunk.names],
      text: text.slice(chunk.start, chunk.end),
    }));
    const next = end < chunks.length ? cursorAt(path, end) : undefined;
    const listed = page.map(
      (chunk) => `${headOf(chunk)}\n${numberedLines(chunk.text, chunk.start_line)}`,
    );
    const notes = next === undefined ? [] : [`The next page: cursor "${next}"`];
    const head = `${shownPath(path)}: ${chunks.length} chunks (${language}, by ${how})`;
    return {
      kind: 'done',
      text: [head, ...listed, ...notes].join('\n\n'),
      data: {
        path,
        language,
        how,
        total: chunks.length,
        chunks: page,
        ...(next === undefined ? {} : { next_cursor: next }),
      },
    };
  },
});

function headOf(chunk: {
  readonly start_line: number;
  readonly end_line: number;
  readonly kind: string;
  readonly symbol?: string;
}): string {
  return `--- ${chunk.start_line}-${chunk.end_line} ${chunk.kind} ${chunk.symbol ?? ''}`.trimEnd();
}
