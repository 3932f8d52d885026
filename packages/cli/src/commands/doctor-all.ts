// `plugboard doctor`: what is wrong with the configuration, and one line about each server.

import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { duration } from '../print/duration.ts';
import { printJson } from '../print/json.ts';
import { grid } from '../print/table.ts';
import { checkServers, exitCodeOfChecks } from './check.ts';
import { readConfigured } from './configured.ts';
import { type CheckedRow, checkedRows } from './list-check.ts';
import { withHost } from './with-host.ts';

export async function examineAll(context: Context): Promise<ExitCode> {
  const { rows, configuration, diagnostics } = await readConfigured();
  return withHost(context, undefined, async (host) => {
    const names = host.servers.flatMap(({ name, state }) =>
      state.kind === 'disabled' ? [] : [name],
    );
    const checks = await checkServers(context, host, names);
    const checked = checkedRows(rows, checks, host);
    if (context.isJson) {
      printJson(context, { servers: checked, diagnostics });
    } else {
      const { out } = context.terminal;
      if (checked.length === 0)
        out.write('No servers are configured here.\nAdd one: plugboard add NAME -- COMMAND\n');
      else out.write(grid(checked.map(lineOf), out.columns));
      const failed = checked.find(({ problem }) => problem !== null);
      if (failed !== undefined) out.write(`\nSee more: plugboard doctor ${failed.name}\n`);
    }
    const isWhole = configuration.diagnostics.every(({ severity }) => severity !== 'error');
    const code = exitCodeOfChecks(checks);
    return code === EXIT.ok && !isWhole ? EXIT.usage : code;
  });
}

function lineOf({ name, state, tools, ms, problem }: CheckedRow): readonly string[] {
  if (problem !== null) {
    const prefix = `server "${name}" `;
    const { message } = problem;
    return [state, name, message.startsWith(prefix) ? message.slice(prefix.length) : message];
  }
  if (tools === null) return [state, name, ''];
  return ['ok', name, `${tools} tool${tools === 1 ? '' : 's'} in ${duration(ms ?? 0)}`];
}
