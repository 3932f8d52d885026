// `plugboard resources [SERVER]`: lists the resources and resource templates of servers.

import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { resourceTable } from '../print/primitives.ts';
import { waitingForAll } from '../print/progress.ts';
import { exitCodeOfList, reportNoServers, shownProblems, writeProblems } from './list-report.ts';
import { withHost } from './with-host.ts';

export function resources(context: Context, server: string | undefined): Promise<ExitCode> {
  return withHost(context, server, async (host) => {
    const servers = server === undefined ? {} : { servers: [server] };
    const { listed, templated } = await waitingForAll(context, host, async (signal) => ({
      listed: await host.resources.list({ ...servers, signal }),
      templated: await host.resources.templates({ ...servers, signal }),
    }));
    const found = listed.resources;
    const { templates } = templated;
    const report = {
      // A server that does not answer fails twice, but is reported once.
      problems: listed.problems.length > 0 ? listed.problems : templated.problems,
      cut: [...listed.cut, ...templated.cut],
      rejected: [...listed.rejected, ...templated.rejected],
    };
    const count = found.length + templates.length;
    const { out, err } = context.terminal;
    if (context.isJson) {
      const problems = shownProblems(context, host, report.problems);
      const { diagnostics } = host;
      printJson(context, { resources: found, templates, problems, diagnostics });
    } else if (!reportNoServers(context, host)) {
      writeProblems(context, host, report);
      if (count > 0) out.write(resourceTable(found, templates, out.columns));
      else if (server !== undefined && report.problems.length === 0) {
        err.write(`Server "${server}" has no resources.\n`);
      }
    }
    return exitCodeOfList(host, {
      problems: report.problems,
      found: [...found, ...templates],
    });
  });
}
