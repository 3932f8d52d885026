// The configured servers as rows, for tables and for programs.

import type { Configuration, Origin, Scope } from '@plugboard/host/configuration';
import { place } from './place.ts';
import { table } from './table.ts';
import { targetOf, transportOf } from './target.ts';

export interface ServerRow {
  readonly name: string;
  readonly transport: string;
  readonly scope: Scope;
  /** `idle`: nothing is connected before it is needed. */
  readonly state: 'idle' | 'disabled' | 'failed' | 'invalid';
  readonly target: string;
  readonly origin: Origin;
  readonly problems: readonly string[];
}

export function serverRows({ servers, rejected }: Configuration): readonly ServerRow[] {
  const usable = servers.map(({ name, scope, origin, written, resolved }): ServerRow => {
    const problems = resolved.kind === 'ready' ? [] : resolved.diagnostics;
    const state = problems.length > 0 ? 'failed' : 'idle';
    return {
      name,
      transport: transportOf(written),
      scope,
      state: written.disabled ? 'disabled' : state,
      target: targetOf(written),
      origin,
      problems: problems.map(({ message }) => message),
    };
  });
  const unusable = rejected.map(
    ({ name, scope, origin, diagnostics }): ServerRow => ({
      name,
      transport: '-',
      scope,
      state: 'invalid',
      target: '',
      origin,
      problems: diagnostics.map(({ message }) => message),
    }),
  );
  return [...usable, ...unusable].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function serverTable(rows: readonly ServerRow[], cwd: string, columns: number): string {
  const header = ['NAME', 'STATE', 'TYPE', 'SCOPE', 'CONFIGURED AT', 'RUNS'];
  const cells = rows.map(({ name, state, transport, scope, origin, target, problems }) => [
    name,
    state,
    transport,
    scope,
    place(origin, cwd),
    problems[0] ?? target,
  ]);
  return table([header, ...cells], columns);
}
