// `search_code`: lines of the tree that contain a text or match a pattern, grouped by file, best files first.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import type { FileMatches, FoundLine, TextMatch, TextPage } from '../../text/index.ts';
import { withHeartbeat } from './progress.ts';
import { defineTool, GLOBS, inputOf, LANGUAGES } from './tool.ts';
import { shownPath } from './shown-path.ts';

/** The most lines in an answer, including those around matches. */
const MOST_LINES = 1000;

export const searchCode = defineTool({
  name: 'search_code',
  title: 'Search code by text',
  description:
    'Finds lines that hold a text or match a regex in all files that no ignore file leaves out. ' +
    'Example: {"query": "retry(", "globs": ["src"]}. ' +
    'Use it for names, messages and exact patterns; use search_by_embedding when you only know what the code does.',
  input: inputOf({
    query: z
      .string()
      .describe('Text to find; a regex (Rust syntax) with regex: true. One line, unless multiline'),
    max_results: z.int().min(1).default(50).describe('Lines per page, 1000 at most'),
    regex: z.boolean().default(false),
    case: z
      .enum(['smart', 'sensitive', 'insensitive'])
      .default('smart')
      .describe('smart: case counts when the query has a capital'),
    word: z.boolean().default(false).describe('Whole words only'),
    multiline: z
      .boolean()
      .default(false)
      .describe(
        'A match may span lines: {"query": "catch.*\\n.*ignored", "regex": true, "multiline": true}',
      ),
    globs: z.array(z.string()).max(100).optional().describe(GLOBS),
    languages: z.array(z.string()).max(50).optional().describe(LANGUAGES),
    context_lines: z.int().min(0).max(20).default(0).describe('Lines around each match'),
    cursor: z.string().optional().describe('next_cursor of the page before'),
  }),
  async run(input, call) {
    const linesPerMatch = 1 + 2 * input.context_lines;
    const query = {
      pattern: input.query,
      regex: input.regex,
      case: input.case,
      word: input.word,
      multiline: input.multiline,
      globs: input.globs,
      languages: input.languages,
      contextLines: input.context_lines,
      maxResults: Math.min(input.max_results, Math.floor(MOST_LINES / linesPerMatch)),
      cursor: input.cursor,
    };
    const searching = call.parts.text.page(query, call.signal);
    const found = await withHeartbeat(searching, 'searching', call);
    if (!found.ok) return toolFailure(found.error.message);
    return { kind: 'done', text: matchesText(found.value), data: matchesData(found.value) };
  },
});

function matchesData({ files, total, isComplete, skipped, nextCursor }: TextPage) {
  return {
    files: files.map(({ path, count, matches }) => ({
      path,
      count,
      matches: matches.map((one) => ({
        ...matchLine(one),
        ...(one.column === undefined ? {} : { column: one.column }),
        ...(one.isCut ? { is_cut: true } : {}),
        ...(one.before.length === 0 ? {} : { before: one.before.map(matchLine) }),
        ...(one.after.length === 0 ? {} : { after: one.after.map(matchLine) }),
      })),
    })),
    total,
    is_complete: isComplete,
    ...(skipped.length === 0 ? {} : { skipped: [...skipped] }),
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
  };
}

function matchLine({ line: number, text }: FoundLine): { line: number; text: string } {
  return { line: number, text };
}

function matchesText(page: TextPage): string {
  if (page.files.length === 0) return ['No matches.', ...notesOn(page)].join('\n');
  return [...page.files.map(fileText), ...notesOn(page)].join('\n\n');
}

function notesOn({ total, isComplete, skipped, nextCursor }: TextPage): readonly string[] {
  return [
    ...(nextCursor === undefined
      ? []
      : [`${total} matching lines in all. The next page: cursor "${nextCursor}"`]),
    ...(isComplete
      ? []
      : ['Not everything was looked at; a longer query or globs make the search complete.']),
    ...(skipped.length === 0 ? [] : [`Not read: ${skipped.join('; ')}`]),
  ];
}

function fileText({ path, count, matches }: FileMatches): string {
  return [`${shownPath(path)} (${count})`, ...matches.flatMap(matchText)].join('\n');
}

function matchText({ line: number, text, isCut, before, after }: TextMatch): readonly string[] {
  return [
    ...before.map((near) => `${near.line}- ${near.text}`),
    `${number}: ${text}${isCut ? ' [cut]' : ''}`,
    ...after.map((near) => `${near.line}- ${near.text}`),
  ];
}
