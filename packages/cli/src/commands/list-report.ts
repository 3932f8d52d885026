// What a command that lists something of all servers says beside the list: which servers are missing, which lists were
// too long, what was left out; and the exit code.

import type { Host, ListProblems, Unanswered } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type ShownError, writeError } from '../print/error.ts';
import { sanitise } from '../print/sanitise.ts';
import { NO_SERVERS } from '../print/servers.ts';
import { exitCodeOfUnanswered, unansweredError } from '../print/unanswered.ts';
import { subjectOf } from '../print/subject.ts';
import { CODEBASE } from './built-in.ts';

export type ShownProblem = ShownError & { readonly server: string };

export function shownProblems(
  { adHoc }: Context,
  host: Host,
  problems: readonly Unanswered[],
): readonly ShownProblem[] {
  return problems.map((problem) => {
    const { server } = problem;
    return { server, ...unansweredError(problem, subjectOf(host, server, adHoc)) };
  });
}

/** For people, on stderr. */
export function writeProblems(context: Context, host: Host, report: ListProblems): void {
  const { err } = context.terminal;
  for (const problem of shownProblems(context, host, report.problems)) writeError(err, problem);
  for (const { server, name, reason } of report.rejected) {
    err.write(sanitise(`Left out "${name}" of server "${server}": it ${reason}.\n`));
  }
  for (const { server } of report.cut) {
    err.write(`Server "${server}" goes on without end: only the first part is shown.\n`);
  }
}

/** Something is better than nothing, unless a server is missing that must be there. */
export function exitCodeOfList(
  host: Host,
  {
    problems,
    found,
  }: {
    readonly problems: readonly Unanswered[];
    /** All that is listed, of all servers. */
    readonly found: readonly { readonly server: string }[];
  },
): ExitCode {
  const isRequired = ({ server }: Unanswered): boolean =>
    host.servers.some(({ name, isRequired: must }) => name === server && must);
  // What the command brings is there whatever becomes of the servers that are configured.
  const isBare = found.every(({ server }) => server === CODEBASE);
  const decisive = problems.find((problem) => isBare || isRequired(problem));
  return decisive === undefined ? EXIT.ok : exitCodeOfUnanswered(decisive);
}

export function noneConfigured(context: Context, host: Host): boolean {
  const isInUse = ({ name, state }: Host['servers'][number]): boolean =>
    name !== CODEBASE || state.kind !== 'disabled';
  if (host.servers.some(isInUse)) return false;
  context.terminal.err.write(NO_SERVERS);
  return true;
}
