// `plugboard tools [SERVER]`: what can be called. A server that fails is reported beside the others.

import type { Host, HostTool, ToolsReport } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { type ShownError, writeError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { type Failure, outcomeError } from '../print/outcome.ts';
import { paint } from '../print/paint.ts';
import { waiting } from '../print/progress.ts';
import { sanitise } from '../print/sanitise.ts';
import { type Column, table } from '../print/table.ts';
import { subjectOf, withHost } from './with-host.ts';

export interface ToolsRequest {
  readonly server: string | undefined;
  readonly showsSchema: boolean;
}

export function tools(context: Context, request: ToolsRequest): Promise<ExitCode> {
  const { server } = request;
  return withHost(context, server, async (host) => {
    const report = await waiting(context, host, (signal) =>
      host.tools({ signal, ...(server === undefined ? {} : { servers: [server] }) }),
    );
    const problems = problemsOf(host, report);
    if (context.isJson) {
      printJson(context, {
        tools: report.tools,
        problems: problems.map(({ shown }) => shown),
        diagnostics: host.diagnostics,
      });
    } else {
      for (const { shown } of problems) writeError(context.terminal.err, shown);
      printTools(context, host, { ...request, found: report.tools });
    }
    if (context.terminal.interrupted.aborted) return EXIT.usage;
    return exitCodeOf(host, report, problems);
  });
}

interface Problem {
  readonly outcome: Failure;
  readonly isRequired: boolean;
  readonly shown: ShownError & { readonly server: string };
}

function problemsOf(host: Host, { problems }: ToolsReport): readonly Problem[] {
  return problems.flatMap((outcome) => {
    if (outcome.kind === 'result' || !('server' in outcome)) return [];
    const { server } = outcome;
    const status = host.servers.find(({ name }) => name === server);
    return [
      {
        outcome,
        isRequired: status?.isRequired === true,
        shown: { server, ...outcomeError(outcome, subjectOf(host, server)) },
      },
    ];
  });
}

/** Some tools are better than none, unless a server is missing that must be there. */
function exitCodeOf(host: Host, report: ToolsReport, problems: readonly Problem[]): ExitCode {
  const isBare = report.tools.length === 0;
  const decisive = problems.find(({ isRequired }) => isRequired || isBare);
  if (decisive !== undefined) return exitCodeOfOutcome(decisive.outcome);
  const isBroken = host.diagnostics.some(({ severity }) => severity === 'error');
  return isBare && isBroken && host.servers.length === 0 ? EXIT.usage : EXIT.ok;
}

const COLUMNS: readonly Column<HostTool>[] = [
  { title: 'SERVER', cell: ({ server }) => server },
  { title: 'TOOL', cell: ({ tool }) => tool },
  { title: 'DESCRIPTION', cell: ({ description }) => description, from: 60 },
];

function printTools(
  { terminal: { out, err } }: Context,
  host: Host,
  { server, showsSchema, found }: ToolsRequest & { readonly found: readonly HostTool[] },
): void {
  if (found.length === 0) {
    if (host.servers.length === 0) {
      err.write('No servers are configured here.\nAdd one: plugboard add NAME -- COMMAND\n');
    } else if (host.servers.some(({ name, state }) => name === server && state.kind === 'ready')) {
      err.write(`Server "${server}" has no tools.\n`);
    }
    return;
  }
  if (!showsSchema) {
    out.write(table(COLUMNS, found, out.columns));
    return;
  }
  const texts = found.map(({ server: from, tool, description, inputSchema }) => {
    const title = paint(out, 'bold', sanitise(`${from} ${tool}`));
    const schema = JSON.stringify(inputSchema, undefined, 2);
    return [title, ...(description === '' ? [] : [sanitise(description)]), sanitise(schema)];
  });
  out.write(texts.map((lines) => `${lines.join('\n')}\n`).join('\n'));
}
