// Shows a list of items of all servers, with the report beside it: failed servers, lists that were cut, and rejected items.

import type { Host, ListProblems, Unanswered } from '@plugboard/host';
import { CODEBASE } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type ShownError, writeError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { sanitise } from '../print/sanitise.ts';
import { NO_SERVERS } from '../print/servers.ts';
import { exitCodeOfUnanswered, unansweredError } from '../print/unanswered.ts';
import { subjectOf } from '../print/subject.ts';

export interface ShownList {
  readonly report: ListProblems;
  /** The listed items of all servers. */
  readonly found: readonly { readonly server: string }[];
  /** The items as they are in the document of `--json`. */
  readonly document: object;
  readonly table: (columns: number) => string;
  /** Printed for people if there is no item and no problem. */
  readonly none: string | undefined;
}

export function showList(
  context: Context,
  host: Host,
  { report, found, document, table, none }: ShownList,
): ExitCode {
  const { problems } = report;
  const { out, err } = context.terminal;
  if (context.isJson) {
    const shown = shownProblems(context, host, problems);
    printJson(context, { ...document, problems: shown, diagnostics: host.diagnostics });
  } else if (!reportNoServers(context, host)) {
    writeProblems(context, host, report);
    if (found.length > 0) out.write(table(out.columns));
    else if (none !== undefined && problems.length === 0) err.write(none);
  }
  return exitCodeOf(host, problems, found);
}

type ShownProblem = ShownError & { readonly server: string };

function shownProblems(
  { adHoc }: Context,
  host: Host,
  problems: readonly Unanswered[],
): readonly ShownProblem[] {
  return problems.map((problem) => {
    const { server } = problem;
    return { server, ...unansweredError(problem, subjectOf(host, server, adHoc)) };
  });
}

/** Prints the report for people on stderr. */
function writeProblems(context: Context, host: Host, report: ListProblems): void {
  const { err } = context.terminal;
  for (const problem of shownProblems(context, host, report.problems)) writeError(err, problem);
  for (const { server, name, reason } of report.rejected) {
    err.write(sanitise(`Left out "${name}" of server "${server}": it ${reason}.\n`));
  }
  for (const { server } of report.cut) {
    err.write(`Server "${server}" goes on without end: only the first part is shown.\n`);
  }
}

/** The command fails if a required server fails, or if nothing is listed. */
function exitCodeOf(
  host: Host,
  problems: readonly Unanswered[],
  found: ShownList['found'],
): ExitCode {
  const isRequired = ({ server }: Unanswered): boolean =>
    host.servers.some(({ name, isRequired: must }) => name === server && must);
  // The built-in server does not count, since it is there even if all configured servers fail.
  const isBare = found.every(({ server }) => server === CODEBASE);
  const decisive = problems.find((problem) => isBare || isRequired(problem));
  return decisive === undefined ? EXIT.ok : exitCodeOfUnanswered(decisive);
}

/** Reports that no server is configured, if that is so. */
function reportNoServers(context: Context, host: Host): boolean {
  const isInUse = ({ name, state }: Host['servers'][number]): boolean =>
    name !== CODEBASE || state.kind !== 'disabled';
  if (host.servers.some(isInUse)) return false;
  context.terminal.err.write(NO_SERVERS);
  return true;
}
