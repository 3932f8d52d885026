// The part of `plugboard tools` that connects to servers. The failure of a server is reported beside the tools of others.

import type { Host, ToolsReport } from '@plugboard/host';
import { closestName, CODEBASE } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { type ShownError, writeError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { type Failure, outcomeError } from '../print/outcome.ts';
import { waitingForAll } from '../print/progress.ts';
import { noteQuarantined, quarantinedForPrograms } from '../print/quarantine.ts';
import { NO_SERVERS } from '../print/servers.ts';
import { listsForPrograms, noteAge, writeTools } from '../print/tools.ts';
import { subjectOf } from '../print/subject.ts';
import { didYouMean, UsageError } from '../usage-error.ts';
import { isWanted, type ToolsRequest } from './tools.ts';
import { withHost } from './with-host.ts';

export function askTools(context: Context, request: ToolsRequest): Promise<ExitCode> {
  const { server, tool, isFresh } = request;
  return withHost(context, server, async (host) => {
    const all = await waitingForAll(context, host, (signal) =>
      host.tools({
        signal,
        fresh: isFresh || tool !== undefined,
        ...(server === undefined ? {} : { servers: [server] }),
      }),
    );
    const report = {
      ...all,
      tools: all.tools.filter((each) => isWanted(each.tool, tool)),
      quarantined: all.quarantined.filter(({ name }) => isWanted(name, tool)),
    };
    const problems = problemsOf(host, report, context.adHoc);
    const isMissing = [...report.tools, ...report.quarantined, ...problems].length === 0;
    if (server !== undefined && tool !== undefined && isMissing) {
      const names = all.tools.map((each) => each.tool);
      throw unknownTool({ server, tool, names, adHoc: context.adHoc });
    }
    if (context.isJson) {
      printJson(context, {
        tools: report.tools,
        lists: listsForPrograms(report.lists),
        problems: problems.map(({ shown }) => shown),
        quarantined: quarantinedForPrograms(report.quarantined),
        diagnostics: host.diagnostics,
      });
    } else {
      printReport(context, { host, request, report, problems });
    }
    return exitCodeOf(host, report, problems);
  });
}

function unknownTool(missing: {
  readonly server: string;
  readonly tool: string;
  readonly names: readonly string[];
  readonly adHoc: string | undefined;
}): UsageError {
  const { server, tool, names, adHoc = server } = missing;
  const nearest = closestName(tool, names);
  return new UsageError(
    `server "${server}" has no tool "${tool}"`,
    didYouMean(nearest, `see what it has: plugboard tools ${adHoc}`),
  );
}

interface Problem {
  readonly outcome: Failure;
  readonly isRequired: boolean;
  readonly shown: ShownError & { readonly server: string };
}

function problemsOf(
  host: Host,
  { problems }: ToolsReport,
  adHoc: string | undefined,
): readonly Problem[] {
  return problems.flatMap((outcome) => {
    if (outcome.kind === 'result' || !('server' in outcome)) return [];
    const { server } = outcome;
    const status = host.servers.find(({ name }) => name === server);
    return [
      {
        outcome,
        isRequired: status?.isRequired === true,
        shown: { server, ...outcomeError(outcome, subjectOf(host, server, adHoc)) },
      },
    ];
  });
}

interface Answer {
  readonly host: Host;
  readonly request: ToolsRequest;
  readonly report: ToolsReport;
  readonly problems: readonly Problem[];
}

function printReport(context: Context, { host, request, report, problems }: Answer): void {
  const { err } = context.terminal;
  for (const { shown } of problems) writeError(err, shown);
  if (!hasConfigured(host) && report.tools.length === 0) {
    err.write(NO_SERVERS);
  } else if (problems.length === 0 || report.tools.length > 0) {
    writeTools(context.terminal, request, report.tools);
  }
  noteQuarantined(err, report.quarantined);
  const stored = report.lists.filter(({ source }) => source === 'stored');
  noteAge(context.terminal, request, stored);
}

function hasConfigured({ servers }: Host): boolean {
  return servers.some(({ name }) => name !== CODEBASE);
}

/** The command fails if a required server fails, or if no server lists tools. */
function exitCodeOf(host: Host, report: ToolsReport, problems: readonly Problem[]): ExitCode {
  const isBare = report.tools.every(({ server }) => server === CODEBASE);
  const decisive = problems.find(({ isRequired }) => isRequired || isBare);
  if (decisive !== undefined) return exitCodeOfOutcome(decisive.outcome);
  const isBroken = host.diagnostics.some(({ severity }) => severity === 'error');
  return isBare && isBroken && !hasConfigured(host) ? EXIT.usage : EXIT.ok;
}
