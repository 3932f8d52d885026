// `plugboard list`: what is configured, from the files alone. Starts nothing.

import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { isBuiltIn, serverTable, writeBarriers } from '../print/servers.ts';
import { readConfigured } from './configured.ts';

export async function list(context: Context): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const { environment, configuration, rows, diagnostics } = await readConfigured(context);
  if (context.isJson) {
    printJson(context, { servers: rows, diagnostics });
  } else {
    writeDiagnostics(err, diagnostics, environment);
    if (rows.length > 0) out.write(serverTable(rows, environment, out.columns));
    writeBarriers(err, rows);
    if (rows.every(isBuiltIn))
      err.write('No servers are configured here.\nAdd one: plugboard add NAME -- COMMAND\n');
  }
  // A list that may lack a server is not the whole answer. A variable that is not set just now
  // hides nothing.
  const isWhole = configuration.diagnostics.every(({ severity }) => severity !== 'error');
  return isWhole ? EXIT.ok : EXIT.usage;
}
