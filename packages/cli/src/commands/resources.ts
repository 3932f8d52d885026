// `plugboard resources [SERVER]`: lists the resources and resource templates of servers.

import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { resourceTable } from '../print/primitives.ts';
import { waitingForAll } from '../print/progress.ts';
import { showList } from './list-report.ts';
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
    return showList(context, host, {
      report,
      found: [...found, ...templates],
      document: { resources: found, templates },
      table: (columns) => resourceTable(found, templates, columns),
      none: server === undefined ? undefined : `Server "${server}" has no resources.\n`,
    });
  });
}
