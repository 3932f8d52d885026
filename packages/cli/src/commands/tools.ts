// `plugboard tools [SERVER]`: what can be called. A server that fails is reported beside the others.

import type { CallOutcome, Host, HostTool, ToolsReport } from '@plugboard/host';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { errorText, type ShownError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { outcomeError } from '../print/outcome.ts';
import { paint } from '../print/paint.ts';
import { waiting } from '../print/progress.ts';
import { oneLine, sanitise } from '../print/sanitise.ts';
import { table } from '../print/table.ts';
import { requireServer, whereOf, withHost } from './with-host.ts';

export interface ToolsRequest {
  readonly server: string | undefined;
  readonly showsSchema: boolean;
}

export function tools(context: Context, request: ToolsRequest): Promise<ExitCode> {
  return withHost(context, async (host) => {
    const { server } = request;
    if (server !== undefined) await requireServer(host, server);
    const report = await waiting(context, host, (signal) =>
      host.tools({ signal, ...(server === undefined ? {} : { servers: [server] }) }),
    );
    const problems = problemsOf(host, report);
    if (context.isJson) {
      printJson(context, { tools: report.tools, problems: problems.map(({ shown }) => shown) });
    } else {
      printTools(context, report.tools, request);
      for (const { shown } of problems) context.terminal.err(errorText(context, shown));
    }
    return exitCodeOf(report, problems);
  });
}

interface Problem {
  readonly outcome: CallOutcome;
  readonly isRequired: boolean;
  readonly shown: ShownError & { readonly server: string };
}

function problemsOf(host: Host, { problems }: ToolsReport): readonly Problem[] {
  return problems.flatMap((outcome) => {
    if (outcome.kind === 'result' || outcome.kind === 'tool-error') return [];
    const server = 'server' in outcome ? outcome.server : '';
    const status = host.servers.find(({ name }) => name === server);
    const where = status === undefined ? undefined : whereOf(status);
    return [
      {
        outcome,
        isRequired: status?.isRequired === true,
        shown: { server, ...outcomeError(outcome, where) },
      },
    ];
  });
}

/** Some tools are better than none, unless a server is missing that must be there. */
function exitCodeOf({ tools: found }: ToolsReport, problems: readonly Problem[]): ExitCode {
  const decisive = problems.find(({ isRequired }) => isRequired || found.length === 0);
  return decisive === undefined ? EXIT.ok : exitCodeOfOutcome(decisive.outcome);
}

function printTools(
  { terminal }: Context,
  found: readonly HostTool[],
  { showsSchema }: ToolsRequest,
): void {
  if (!showsSchema) {
    const rows = found.map(({ server, tool, description }) => [
      oneLine(server, 64),
      oneLine(tool, 64),
      description,
    ]);
    if (rows.length > 0) {
      terminal.out(table([['SERVER', 'TOOL', 'DESCRIPTION'], ...rows], terminal.columns));
    }
    return;
  }
  for (const { server, tool, description, inputSchema } of found) {
    terminal.out(`${paint(terminal, 'bold', sanitise(`${server} ${tool}`))}\n`);
    if (description !== '') terminal.out(`${sanitise(description)}\n`);
    terminal.out(`${sanitise(JSON.stringify(inputSchema, undefined, 2))}\n\n`);
  }
}
