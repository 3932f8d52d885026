// Tools as a table, as TypeScript declarations or as schemas, and the age of the lists.

import { systemClock } from '@plugboard/base';
import { declaration, type HostTool } from '@plugboard/host/known-tools';
import type { Output, Terminal } from '../terminal.ts';
import { paint } from './paint.ts';
import { sanitise } from './sanitise.ts';
import { type Column, table } from './table.ts';
import { ageOf, isoTime } from './times.ts';

interface ToolListOptions {
  /** The only server to list, if the user named one. */
  readonly server: string | undefined;
  readonly shows: ToolView;
}

export type ToolView = 'table' | 'types' | 'schema';

const COLUMNS: readonly Column<HostTool>[] = [
  { title: 'SERVER', cell: ({ server }) => server, isName: true },
  { title: 'TOOL', cell: ({ tool }) => tool, isName: true },
  { title: 'DESCRIPTION', cell: ({ description }) => description, from: 60 },
];

export function writeTools(
  { out, err }: Terminal,
  { server, shows }: ToolListOptions,
  tools: readonly HostTool[],
): void {
  if (tools.length > 0) out.write(VIEWS[shows](out, tools));
  else if (server !== undefined) err.write(`Server "${server}" has no tools.\n`);
}

export function toolTable(tools: readonly HostTool[], screen: number): string {
  return table(COLUMNS, tools, screen);
}

const VIEWS: Readonly<Record<ToolView, (out: Output, tools: readonly HostTool[]) => string>> = {
  table: ({ columns }, tools) => toolTable(tools, columns),
  types: (_out, tools) => tools.map((tool) => `${sanitise(declaration(tool))}\n`).join('\n'),
  schema: schemas,
};

function schemas(out: Output, tools: readonly HostTool[]): string {
  const texts = tools.map(({ server, tool, description, inputSchema }) => {
    const title = paint(out, 'bold', sanitise(`${server} ${tool}`));
    const schema = JSON.stringify(inputSchema, undefined, 2);
    return [title, ...(description === '' ? [] : [sanitise(description)]), sanitise(schema)];
  });
  return texts.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/** Warns that a stored list may lack tools that a server has added since. */
export function noteAge(
  { err }: Terminal,
  { server }: ToolListOptions,
  lists: readonly { readonly at: number }[],
): void {
  if (lists.length === 0) return;
  const oldest = Math.min(...lists.map(({ at }) => at));
  const again = ['plugboard tools', ...(server === undefined ? [] : [server]), '--refresh'];
  err.write(`Listed ${ageOf(systemClock.now() - oldest)}. To ask again: ${again.join(' ')}\n`);
}

interface ShownList {
  readonly server: string;
  readonly at: string;
  readonly source: 'server' | 'stored';
}

/** With times for programs. */
export function listsForPrograms(
  lists: readonly (Omit<ShownList, 'at'> & { readonly at: number })[],
): readonly ShownList[] {
  return lists.map(({ server, at, source }) => ({ server, at: isoTime(at), source }));
}
