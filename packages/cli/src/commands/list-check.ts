// `plugboard list --check`: connects to every enabled server and shows its state.

import type { Host } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type ShownError, writeError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { outcomeError } from '../print/outcome.ts';
import { isBuiltIn, NO_SERVERS, type ServerRow, serverRows } from '../print/servers.ts';
import { type Column, table } from '../print/table.ts';
import { subjectOf } from '../print/subject.ts';
import { duration } from '../print/times.ts';
import {
  checkServers,
  exitCodeOfChecks,
  type ServerCheck,
  type Strictness,
} from './check-servers.ts';
import { withHost } from './with-host.ts';

/** A server in the document of `list --check --json`. */
export interface CheckedRow extends Omit<ServerRow, 'state' | 'problems'> {
  readonly state: ServerRow['state'] | 'ready' | 'needs-auth';
  readonly era: 'legacy' | 'modern' | null;
  readonly revision: string | null;
  readonly server: { readonly name: string; readonly version: string } | null;
  /** The number of tools that the server lists. */
  readonly tools: number | null;
  readonly ms: number | null;
  readonly problem: ShownError | null;
}

export function listCheck(context: Context, strictness: Strictness): Promise<ExitCode> {
  return checkAll(context, (rows) => printChecks(context, rows), strictness);
}

/** Checks every enabled server. `print` shows the result to people; the document for programs is always the same. */
export async function checkAll(
  context: Context,
  print: (rows: readonly CheckedRow[]) => void,
  strictness: Strictness = 'required-or-all',
): Promise<ExitCode> {
  return withHost(context, undefined, async (host, configured) => {
    const { configuration, diagnostics } = configured;
    const names = host.servers.flatMap(({ name, state }) =>
      state.kind === 'disabled' ? [] : [name],
    );
    const checks = await checkServers(context, host, names);
    const checked = checkedRows(serverRows(configured), checks, host);
    if (context.isJson) printJson(context, { servers: checked, diagnostics });
    else print(checked);
    const isWhole = configuration.diagnostics.every(({ severity }) => severity !== 'error');
    const code = exitCodeOfChecks(checks, strictness);
    return code === EXIT.ok && !isWhole ? EXIT.usage : code;
  });
}

function checkedRows(
  rows: readonly ServerRow[],
  checks: readonly ServerCheck[],
  host: Host,
): readonly CheckedRow[] {
  return rows.map((row) => {
    const check = checks.find(({ name }) => name === row.name);
    return checkedRow(row, check, checkProblem(check, host));
  });
}

export function checkProblem(
  check: ServerCheck | undefined,
  host: Host,
  adHoc?: string,
): ShownError | null {
  if (check?.problem === undefined) return null;
  return outcomeError(check.problem, subjectOf(host, check.name, adHoc));
}

function checkedRow(
  row: ServerRow,
  check: ServerCheck | undefined,
  problem: ShownError | null,
): CheckedRow {
  const { name, transport, target, scope, origin } = row;
  return {
    name,
    state: checkedState(row, check),
    transport,
    target,
    scope,
    origin,
    era: check?.ready?.era ?? null,
    revision: check?.ready?.protocolVersion ?? null,
    server: check?.ready?.server ?? null,
    tools: check === undefined || problem !== null ? null : check.tools,
    ms: check === undefined ? null : check.ms,
    problem,
  };
}

function checkedState(row: ServerRow, check: ServerCheck | undefined): CheckedRow['state'] {
  // A server that may not start was not checked.
  if (check === undefined || row.state === 'untrusted' || row.state === 'blocked') return row.state;
  if (check.problem === undefined) return 'ready';
  return check.problem.kind === 'needs-auth' ? 'needs-auth' : 'failed';
}

const COLUMNS: readonly Column<CheckedRow>[] = [
  { title: 'NAME', cell: ({ name }) => name, isName: true },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'TOOLS', cell: ({ tools }) => (tools === null ? '-' : String(tools)) },
  { title: 'TIME', cell: ({ ms }) => (ms === null ? '-' : duration(ms)) },
  { title: 'ERA', cell: ({ era }) => era ?? '-', from: 60 },
  { title: 'REVISION', cell: ({ revision }) => revision ?? '-', from: 60 },
  { title: 'TYPE', cell: ({ transport }) => transport ?? '-', from: 60 },
  { title: 'RUNS', cell: ({ target }) => target ?? '-', from: 100 },
];

function printChecks({ terminal: { out, err } }: Context, rows: readonly CheckedRow[]): void {
  for (const { problem } of rows) if (problem !== null) writeError(err, problem);
  if (rows.length > 0) out.write(table(COLUMNS, rows, out.columns));
  if (rows.every(isBuiltIn)) err.write(NO_SERVERS);
  err.write(countWords(rows));
}

/** Counts only the servers that were checked. */
function countWords(rows: readonly CheckedRow[]): string {
  const tried = rows.filter(({ ms, state }) => ms !== null || state === 'invalid');
  const failed = tried.filter(({ problem, state }) => problem !== null || state === 'invalid');
  if (tried.length === 0) return '';
  const all = `${tried.length} server${tried.length === 1 ? '' : 's'}`;
  return failed.length === 0
    ? `${all} checked, none failed.\n`
    : `${failed.length} of ${all} failed.\n`;
}
