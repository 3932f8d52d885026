// `plugboard get NAME`: one server as it is configured. Values that may be secret are not shown.

import { closestName, type ConfiguredServer } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { place } from '../print/place.ts';
import { sanitise } from '../print/sanitise.ts';
import { maskValue, targetOf, transportOf } from '../print/target.ts';
import { UsageError } from '../usage-error.ts';
import { type Listed, readServers } from './list.ts';

export async function get(context: Context, name: string): Promise<ExitCode> {
  const listed = await readServers();
  const { configuration, environment } = listed;
  const server = configuration.servers.find((candidate) => candidate.name === name);
  if (server === undefined) throw unknownServer(name, listed);
  const fields = fieldsOf(server, environment.cwd);
  if (context.isJson) {
    printJson(context, Object.fromEntries(fields));
  } else {
    const width = Math.max(...fields.map(([key]) => key.length));
    for (const [key, value] of fields) {
      for (const text of [value].flat()) {
        context.terminal.out(`${key.padEnd(width)}  ${sanitise(text)}\n`);
      }
    }
  }
  return server.resolved.kind === 'ready' ? EXIT.ok : EXIT.usage;
}

/** The error for a name that is not configured, or not in a way that can be used. */
export function unknownServer(name: string, { configuration, rows, environment }: Listed): UsageError {
  const rejected = configuration.rejected.find((candidate) => candidate.name === name);
  if (rejected !== undefined) {
    const [problem] = rejected.diagnostics;
    return new UsageError(
      `server "${name}" cannot be used: ${problem?.message ?? 'its entry is broken'}`,
      `${problem?.suggestion ?? 'Correct it.'} It is at ${place(rejected.origin, environment.cwd)}.`,
    );
  }
  const nearest = closestName(name, rows.map((row) => row.name));
  return new UsageError(
    `there is no server "${name}"`,
    nearest === undefined ? 'run: plugboard list' : `did you mean "${nearest}"?`,
  );
}

type Field = readonly [string, string | readonly string[]];

function fieldsOf(server: ConfiguredServer, cwd: string): readonly Field[] {
  const { name, scope, origin, written, resolved, shadowed } = server;
  return [
    ['name', name],
    ['scope', scope],
    ['origin', place(origin, cwd)],
    ['type', transportOf(written)],
    ['target', targetOf(written)],
    ...(written.kind === 'stdio' ? masked('env', written.env) : []),
    ...(written.kind === 'stdio' && written.cwd !== undefined ? [['cwd', written.cwd] as const] : []),
    ...('headers' in written ? masked('header', written.headers) : []),
    ...(written.disabled ? [['disabled', 'true'] as const] : []),
    ...(resolved.kind === 'ready'
      ? []
      : [['problem', resolved.diagnostics.map(({ message }) => message)] as const]),
    ...(shadowed.length === 0
      ? []
      : [['hides', shadowed.map((other) => `${other.scope} ${place(other.origin, cwd)}`)] as const]),
  ];
}

function masked(key: string, values: Readonly<Record<string, string>>): readonly Field[] {
  const shown = Object.entries(values).map(([name, value]) => `${name}=${maskValue(value)}`);
  return shown.length === 0 ? [] : [[key, shown]];
}
