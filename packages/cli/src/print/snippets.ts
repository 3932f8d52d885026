// Snippets as a table and as text: their scripts, whether they have changed since the approval, and errors.

import type { ReadSnippet, Snippet, SnippetProblem } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { shortPath, type Standpoint } from './place.ts';
import { unwritableError } from './system-words.ts';
import { table } from './table.ts';
import { condensed, quoted, visible } from './visible.ts';

export interface SnippetRow extends Snippet {
  readonly state: ReadSnippet['kind'];
}

const STATES: Readonly<Record<ReadSnippet['kind'], string>> = {
  approved: 'approved',
  changed: 'changed since you approved it',
  unreadable: 'cannot be read',
};

export function snippetTable(
  rows: readonly SnippetRow[],
  { from, columns }: { readonly from: Standpoint; readonly columns: number },
): string {
  return table<SnippetRow>(
    [
      { title: 'NAME', cell: ({ name }) => name, isName: true },
      { title: 'STATE', cell: ({ state }) => STATES[state] },
      { title: 'FILE', cell: ({ file }) => shortPath(file, from) },
    ],
    rows,
    columns,
  );
}

/** The whole script, since nobody can approve what they have not seen. */
export function snippetScreen(
  { name, code, file }: { readonly name: string; readonly code: string; readonly file: string },
  from: Standpoint,
): string {
  const lines = condensed(code).split('\n');
  return [
    `Snippet ${quoted(name)}, from ${visible(shortPath(file, from))}`,
    ...lines.map((line) => `  | ${visible(line)}`),
    '',
  ].join('\n');
}

export function snippetError(problem: SnippetProblem, from: Standpoint): UsageError {
  const file = shortPath(problem.file, from);
  return problem.kind === 'unwritable'
    ? unwritableError(file, problem.code)
    : new UsageError(
        `${file} cannot be used: ${problem.reason.replaceAll('-', ' ')}`,
        'repair or remove the file, and approve your snippets again',
      );
}
