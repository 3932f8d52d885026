// `plugboard prompts [SERVER]`: lists the prompts of servers with their arguments.

import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { promptTable } from '../print/primitives.ts';
import { waitingForAll } from '../print/progress.ts';
import { exitCodeOfList, reportNoServers, shownProblems, writeProblems } from './list-report.ts';
import { withHost } from './with-host.ts';

export function prompts(context: Context, server: string | undefined): Promise<ExitCode> {
  return withHost(context, server, async (host) => {
    const servers = server === undefined ? {} : { servers: [server] };
    const report = await waitingForAll(context, host, (signal) =>
      host.prompts.list({ ...servers, signal }),
    );
    const { out, err } = context.terminal;
    const count = report.prompts.length;
    if (context.isJson) {
      const problems = shownProblems(context, host, report.problems);
      printJson(context, { prompts: report.prompts, problems, diagnostics: host.diagnostics });
    } else if (!reportNoServers(context, host)) {
      writeProblems(context, host, report);
      if (count > 0) out.write(promptTable(report.prompts, out.columns));
      else if (server !== undefined && report.problems.length === 0) {
        err.write(`Server "${server}" has no prompts.\n`);
      }
    }
    return exitCodeOfList(host, { problems: report.problems, found: report.prompts });
  });
}
