// `plugboard get NAME`: shows the configuration of one server. Values that may be secret are hidden.

import type { Diagnostic, SourceReport } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { place, type Standpoint } from '../print/place.ts';
import { oneLine } from '../print/sanitise.ts';
import { type ServerRow, serverRows } from '../print/servers.ts';
import { runningForPrograms, runningWords } from '../print/shared-words.ts';
import { grid } from '../print/table.ts';
import { maskValues } from '../print/target.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';
import { sharedRunning } from './shared-running.ts';

/** The document of `get --json`. */
interface ServerDetails extends ServerRow {
  readonly required: boolean;
  readonly cwd: string | null;
  /** Values that are not placeholders are hidden. */
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Every entry of this name, strongest first. */
  readonly sources: readonly Omit<SourceReport, 'author'>[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function get(context: Context, name: string): Promise<ExitCode> {
  const configured = await readConfigured(context);
  const { environment } = configured;
  const known = detailsOf(name, configured);
  if (known === undefined) throw unknownServer(name, configured);
  const running = (await sharedRunning(configured.configuration.servers, environment)).get(name);
  const details =
    running === undefined ? known : { ...known, shared: running.map(runningForPrograms) };
  if (context.isJson) {
    printJson(context, details);
  } else {
    writeDiagnostics(context.terminal.err, details.diagnostics, environment);
    const { out } = context.terminal;
    // A single server is shown without cutting its values.
    const shared = running === undefined ? [] : [['shared', `yes; ${runningWords(running)}`]];
    out.write(grid([...detailRows(details, environment), ...shared], out.columns, 'wrap'));
  }
  return EXIT.ok;
}

function detailsOf(name: string, configured: CommandConfiguration): ServerDetails | undefined {
  const server = configured.configuration.servers.find((candidate) => candidate.name === name);
  const row = serverRows(configured).find((candidate) => candidate.name === name);
  if (server === undefined || row === undefined) return undefined;
  const { written, sources } = server;
  return {
    ...row,
    required: written.required,
    cwd: written.kind === 'stdio' ? (written.cwd ?? null) : null,
    env: written.kind === 'stdio' ? maskValues(written.env) : {},
    headers: 'headers' in written ? maskValues(written.headers) : {},
    sources: sources.map(({ author: _, ...source }) => source),
    diagnostics: configured.diagnostics.filter((diagnostic) => diagnostic.server === name),
  };
}

const KEPT_OUT: ReadonlySet<ServerRow['state']> = new Set(['blocked', 'untrusted', 'duplicate']);

const PARTS = {
  defines: 'configured',
  patches: 'patched by',
  hidden: 'hides',
  broken: 'broken',
} as const;

function detailRows(details: ServerDetails, from: Standpoint): readonly (readonly string[])[] {
  const { name, state, scope, origin, transport, target, cwd, env, headers, sources } = details;
  return [
    ['name', name],
    ['state', state],
    ...(KEPT_OUT.has(state) ? [['because', details.problems[0] ?? '']] : []),
    ['type', transport ?? '-'],
    [transport === 'stdio' ? 'runs' : 'reaches', target ?? '-'],
    ...(cwd === null ? [] : [['in folder', cwd]]),
    ...Object.entries(env).map(([key, value]) => ['env', `${key}=${value}`]),
    ...Object.entries(headers).map(([key, value]) => ['header', `${key}: ${value}`]),
    ...(details.required ? [['required', 'yes']] : []),
    ['configured', `${place(origin, from)} (${scope})`],
    ...sources
      .filter(({ part }) => part !== 'defines')
      .map((other) => [PARTS[other.part], `${place(other.origin, from)} (${other.scope})`]),
  ].map(([key = '', value = '']) => [key, oneLine(value)]);
}
