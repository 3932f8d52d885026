// A table of the configuration files, strongest first.

import type { Scope } from '@plugboard/host/configuration';
import { type Column, table } from './table.ts';

export interface FileRow {
  readonly file: string;
  readonly scope: Scope;
  readonly state: 'missing' | 'read' | 'invalid';
  readonly exists: boolean;
}

const COLUMNS: readonly Column<FileRow>[] = [
  { title: 'SCOPE', cell: ({ scope }) => scope },
  { title: 'STATE', cell: ({ state }) => STATES[state] },
  { title: 'FILE', cell: ({ file }) => file },
];

const STATES = { missing: 'missing', read: 'exists', invalid: 'broken' } as const;

/** Never cut, so that paths can be copied. */
export function fileTable(rows: readonly FileRow[]): string {
  return table(COLUMNS, rows, Number.POSITIVE_INFINITY);
}
