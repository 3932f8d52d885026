// `plugboard pins [list]` and `plugboard pins forget SERVER`: lists and deletes accepted definitions, without contacting servers.

import {
  forgetPins,
  type KnownPins,
  knownPins,
  type PinProblem,
} from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath, type Standpoint } from '../print/place.ts';
import { noteQuarantined } from '../print/quarantine.ts';
import { NO_SERVERS } from '../print/servers.ts';
import { type Column, table } from '../print/table.ts';
import { dayOf, isoTime } from '../print/times.ts';
import { UsageError } from '../usage-error.ts';
import { readConfigured, unknownServer, usableServers } from './configured.ts';
import { unwritableError } from '../print/system-words.ts';

type Row = KnownPins['servers'][number];

export async function listPins(context: Context): Promise<ExitCode> {
  const configured = await readConfigured(context);
  const { environment, configuration } = configured;
  const { mode, servers } = await knownPins(
    environment,
    // Built-in servers are part of the command and have no pins.
    usableServers(configured).filter(({ written }) => written.kind !== 'sdk'),
    configuration.pins,
  );
  const { out, err } = context.terminal;
  if (context.isJson) {
    printJson(context, { mode, servers: servers.map(rowForPrograms) });
  } else if (servers.length === 0) {
    err.write(NO_SERVERS);
  } else {
    out.write(table(COLUMNS, servers, out.columns));
    noteQuarantined(
      err,
      servers.flatMap(({ quarantined }) => quarantined),
    );
    if (mode === 'off') err.write('Pins are off in the settings: nothing is kept back.\n');
  }
  return EXIT.ok;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'SERVER', cell: ({ server }) => server, isName: true },
  {
    title: 'ACCEPTED',
    cell: ({ standing }) => (standing.kind === 'pinned' ? `${standing.tools} tools` : '-'),
  },
  {
    title: 'SINCE',
    cell: ({ standing }) => (standing.kind === 'pinned' ? dayOf(standing.since) : '-'),
  },
  { title: 'KEPT BACK', cell: keptBack },
];

function keptBack({ standing, quarantined }: Row): string {
  if (standing.kind === 'unreadable') return 'everything: what was accepted cannot be read';
  if (quarantined.length === 0) return '-';
  return quarantined.map(({ kind, name }) => (kind === 'tool' ? name : kind)).join(', ');
}

function rowForPrograms({ server, standing, quarantined }: Row): object {
  const isPinned = standing.kind === 'pinned';
  return {
    server,
    state: standing.kind,
    tools: isPinned ? standing.tools : 0,
    since: isPinned ? isoTime(standing.since) : null,
    quarantined: quarantined.map(({ kind, name, reason, findings }) => ({
      kind,
      name,
      reason,
      findings,
    })),
  };
}

export async function forget(context: Context, name: string): Promise<ExitCode> {
  const configured = await readConfigured(context);
  const { environment, configuration } = configured;
  const forgotten = await forgetPins(environment, name, configuration.servers);
  if (!forgotten.ok) throw pinError(forgotten.error, environment);
  const isKnown = configuration.servers.some((server) => server.name === name);
  if (forgotten.value === 'nothing' && !isKnown) throw unknownServer(name, configured);
  if (context.isJson) {
    printJson(context, { kind: forgotten.value, server: name });
  } else {
    context.terminal.err.write(
      forgotten.value === 'nothing'
        ? `Nothing was accepted of "${name}" yet.\n`
        : `Forgot what was accepted of "${name}". Its next list counts as the first.\n`,
    );
  }
  return EXIT.ok;
}

export function pinError(problem: PinProblem, from: Standpoint): UsageError {
  const file = shortPath(problem.file, from);
  if (problem.kind === 'unwritable') return unwritableError(file, problem.code);
  return new UsageError(
    `${file} cannot be used (${problem.reason})`,
    `delete it, and look at your servers again: rm "${problem.file}"`,
  );
}
