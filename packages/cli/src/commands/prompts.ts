// `plugboard prompts [SERVER]`: lists the prompts of servers with their arguments.

import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { promptTable } from '../print/primitives.ts';
import { waitingForAll } from '../print/progress.ts';
import { showList } from './list-report.ts';
import { withHost } from './with-host.ts';

export function prompts(context: Context, server: string | undefined): Promise<ExitCode> {
  return withHost(context, server, async (host) => {
    const servers = server === undefined ? {} : { servers: [server] };
    const report = await waitingForAll(context, host, (signal) =>
      host.prompts.list({ ...servers, signal }),
    );
    return showList(context, host, {
      report,
      found: report.prompts,
      document: { prompts: report.prompts },
      table: (columns) => promptTable(report.prompts, columns),
      none: server === undefined ? undefined : `Server "${server}" has no prompts.\n`,
    });
  });
}
