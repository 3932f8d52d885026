// The configured servers, as a table and for programs.

import {
  type AdmittedConfiguration,
  type AdmittedServer,
  type Origin,
  type Scope,
  type TransportName,
  transportOf,
} from '@plugboard/host/configuration';
import type { Output } from '../terminal.ts';
import { admissionWords } from './admission-words.ts';
import type { RunningShared } from './shared-words.ts';
import { isBuiltInOrigin, place, type Standpoint } from './place.ts';
import { type Column, table } from './table.ts';
import { targetOf } from './target.ts';

export interface ServerRow {
  readonly name: string;
  /** `idle`: the server is connected when it is needed. `duplicate`: an identical server is used instead. */
  readonly state:
    | 'idle'
    | 'disabled'
    | 'untrusted'
    | 'blocked'
    | 'duplicate'
    | 'failed'
    | 'invalid';
  /** `null` for an invalid server. */
  readonly transport: TransportName | null;
  readonly target: string | null;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly problems: readonly string[];
  /** The running processes of a shared server. */
  readonly shared?: readonly RunningShared[];
}

export interface ShownServers {
  readonly configuration: Pick<AdmittedConfiguration, 'servers' | 'rejected'>;
  readonly environment: Standpoint;
}

export function serverRows({
  configuration: { servers, rejected },
  environment: from,
}: ShownServers): readonly ServerRow[] {
  const usable = servers.map((server): ServerRow => {
    const { name, scope, origin, written, resolved, admission } = server;
    const problems = resolved.kind === 'ready' ? [] : resolved.diagnostics;
    const barrier = admissionWords(name, admission, from);
    return {
      name,
      state: rowState(server),
      transport: transportOf(written.kind).name,
      target: targetOf(written),
      scope,
      origin,
      problems: [
        ...(barrier === undefined ? [] : [barrier]),
        ...problems.map(({ message }) => message),
      ],
    };
  });
  const taken = new Set(servers.map(({ name }) => name));
  // If an entry took the name of a built-in server, its problem is reported and the built-in server remains.
  const unusable = rejected
    .filter(({ name }) => !taken.has(name))
    .map(({ name, scope, origin, diagnostics }): ServerRow => ({
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

/** A rule comes first, since enabling or trusting a blocked server has no effect. */
function rowState({ admission, written, resolved }: AdmittedServer): ServerRow['state'] {
  if (admission.kind === 'blocked') return 'blocked';
  if (admission.kind === 'suppressed') return 'duplicate';
  if (written.disabled) return 'disabled';
  if (admission.kind === 'untrusted') return 'untrusted';
  return resolved.kind === 'ready' ? 'idle' : 'failed';
}

export function isBuiltIn({ origin }: Pick<ServerRow, 'origin'>): boolean {
  return isBuiltInOrigin(origin);
}

export const NO_SERVERS =
  'No servers are configured here.\nAdd one: plugboard add NAME -- COMMAND\n';

export function serverTable(rows: readonly ServerRow[], from: Standpoint, screen: number): string {
  const columns: readonly Column<ServerRow>[] = [
    { title: 'NAME', cell: ({ name }) => name, isName: true },
    { title: 'STATE', cell: stateWords },
    { title: 'TYPE', cell: ({ transport }) => transport ?? '-', from: 60 },
    { title: 'SCOPE', cell: scopeWords, from: 60 },
    { title: 'CONFIGURED AT', cell: ({ origin }) => place(origin, from), from: 100 },
    { title: 'RUNS', cell: ({ target }) => target ?? '-' },
  ];
  return table(columns, rows, screen);
}

function stateWords({ state, shared = [] }: ServerRow): string {
  return state === 'idle' && shared.length > 0 ? 'running' : state;
}

function scopeWords(row: ServerRow): string {
  return isBuiltIn(row) ? 'built-in' : row.scope;
}

/** Explains why servers may not be used, and how to trust those that are waiting for it. */
export function writeBarriers(err: Output, rows: readonly ServerRow[]): void {
  for (const { name, state, problems } of rows) {
    const [why = ''] = problems;
    if (state === 'blocked') err.write(`"${name}" is blocked: ${why}\n`);
    if (state === 'duplicate') err.write(`"${name}" is ${why}\n`);
  }
  const waiting = rows.filter(({ state }) => state === 'untrusted');
  const [first] = waiting;
  if (first === undefined) return;
  err.write(
    waiting.length === 1
      ? `"${first.name}" came with this folder or a plugin; see what it would run, and let it start: plugboard trust ${first.name}\n`
      : `${waiting.length} servers came with this folder or a plugin; see what they would run, and let them start: plugboard trust\n`,
  );
}
