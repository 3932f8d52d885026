// `plugboard list`: lists the configured servers from files. Starts no server.

import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { isBuiltIn, NO_SERVERS, serverRows, serverTable, writeBarriers } from '../print/servers.ts';
import { runningForPrograms } from '../print/shared-words.ts';
import { readConfigured } from './configured.ts';
import { sharedRunning } from './shared-running.ts';

export async function list(context: Context): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const configured = await readConfigured(context);
  const { environment, configuration, diagnostics } = configured;
  const running = await sharedRunning(configuration.servers, environment);
  const rows = serverRows(configured).map((row) => {
    const shared = running.get(row.name);
    return shared === undefined ? row : { ...row, shared: shared.map(runningForPrograms) };
  });
  if (context.isJson) {
    printJson(context, { servers: rows, diagnostics });
  } else {
    writeDiagnostics(err, diagnostics, environment);
    if (rows.length > 0) out.write(serverTable(rows, environment, out.columns));
    writeBarriers(err, rows);
    if (rows.every(isBuiltIn)) err.write(NO_SERVERS);
  }
  // The command fails if the list may be incomplete. A missing variable hides no server.
  const isWhole = configuration.diagnostics.every(({ severity }) => severity !== 'error');
  return isWhole ? EXIT.ok : EXIT.usage;
}
