// `plugboard doctor`: checks all servers, and prints one line about each.

import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { isBuiltIn, NO_SERVERS } from '../print/servers.ts';
import { grid } from '../print/table.ts';
import { duration } from '../print/times.ts';
import { checkAll, type CheckedRow } from './list-check.ts';

export function examineAll(context: Context): Promise<ExitCode> {
  const { out } = context.terminal;
  return checkAll(context, (rows) => {
    if (rows.length > 0) out.write(grid(rows.map(serverLine), out.columns, 'wrap'));
    if (rows.every(isBuiltIn)) out.write(NO_SERVERS);
    const failed = rows.find(({ problem }) => problem !== null);
    if (failed !== undefined) out.write(`\nSee more: plugboard doctor ${failed.name}\n`);
  });
}

function serverLine({ name, state, tools, ms, problem }: CheckedRow): readonly string[] {
  if (problem !== null) {
    const prefix = `server "${name}" `;
    const { message } = problem;
    return [state, name, message.startsWith(prefix) ? message.slice(prefix.length) : message];
  }
  if (tools === null) return [state, name, ''];
  return ['ok', name, `${tools} tool${tools === 1 ? '' : 's'} in ${duration(ms ?? 0)}`];
}
