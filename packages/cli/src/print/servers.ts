// The configured servers as rows, for tables and for programs.

import type { Configuration, Origin, Scope } from '@plugboard/host/configuration';
import { place, type Standpoint } from './place.ts';
import { type Column, table } from './table.ts';
import { targetOf, transportOf } from './target.ts';

export interface ServerRow {
  readonly name: string;
  /** `idle`: nothing is connected before it is needed. */
  readonly state: 'idle' | 'disabled' | 'failed' | 'invalid';
  /** Neither is known of an invalid one. */
  readonly transport: ReturnType<typeof transportOf> | null;
  readonly target: string | null;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly problems: readonly string[];
}

export function serverRows({ servers, rejected }: Configuration): readonly ServerRow[] {
  const usable = servers.map(({ name, scope, origin, written, resolved }): ServerRow => {
    const problems = resolved.kind === 'ready' ? [] : resolved.diagnostics;
    const state = problems.length > 0 ? 'failed' : 'idle';
    return {
      name,
      state: written.disabled ? 'disabled' : state,
      transport: transportOf(written),
      target: targetOf(written),
      scope,
      origin,
      problems: problems.map(({ message }) => message),
    };
  });
  const unusable = rejected.map(({ name, scope, origin, diagnostics }): ServerRow => ({
    name,
    state: 'invalid',
    transport: null,
    target: null,
    scope,
    origin,
    problems: diagnostics.map(({ message }) => message),
  }));
  return [...usable, ...unusable].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function serverTable(rows: readonly ServerRow[], from: Standpoint, screen: number): string {
  const columns: readonly Column<ServerRow>[] = [
    { title: 'NAME', cell: ({ name }) => name },
    { title: 'STATE', cell: ({ state }) => state },
    { title: 'TYPE', cell: ({ transport }) => transport ?? '-', from: 60 },
    { title: 'SCOPE', cell: ({ scope }) => scope, from: 60 },
    { title: 'CONFIGURED AT', cell: ({ origin }) => place(origin, from), from: 100 },
    { title: 'RUNS', cell: ({ target }) => target ?? '-' },
  ];
  return table(columns, rows, screen);
}
