// `plugboard sessions`: lists the stored conversations of this folder or of all folders.

import type { TranscriptEntry } from '@plugboard/agent';
import { systemClock } from '@plugboard/base';
import { type HostEnvironment, hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { type Column, table } from '../print/table.ts';
import { ageOf, isoTime } from '../print/times.ts';
import { transcriptsOf } from './resumed-conversation.ts';

export interface SessionsRequest {
  readonly where: 'here' | 'everywhere';
  readonly search: string | undefined;
}

export async function sessions(
  context: Context,
  { where, search }: SessionsRequest,
): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const environment = hostEnvironment();
  const listed = await transcriptsOf(environment, () => {}).list(where);
  const found = listed.filter((entry) => hasWords(entry, search ?? ''));
  if (context.isJson) {
    printJson(context, { sessions: found.map(sessionDocument) });
    return EXIT.ok;
  }
  if (found.length > 0) {
    out.write(table(columnsFor(where, environment), found, out.columns));
    err.write('Resume one: plugboard chat --resume ID\n');
  } else {
    const place = where === 'here' ? 'in this folder' : 'in any folder';
    err.write(
      listed.length === 0
        ? `There are no conversations ${place} yet.\nBegin one: plugboard chat\n`
        : `No conversation ${place} has these words in its title.\n`,
    );
  }
  return EXIT.ok;
}

function hasWords({ title, folder }: TranscriptEntry, search: string): boolean {
  const text = `${title} ${folder}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => text.includes(word));
}

function sessionDocument({ id, title, folder, model, startedAt, changedAt }: TranscriptEntry) {
  return {
    id,
    title,
    folder,
    model,
    startedAt: isoTime(startedAt),
    changedAt: isoTime(changedAt),
  };
}

function columnsFor(
  where: SessionsRequest['where'],
  environment: HostEnvironment,
): readonly Column<TranscriptEntry>[] {
  const now = systemClock.now();
  return [
    { title: 'ID', cell: ({ id }) => id, isName: true },
    { title: 'LAST USED', cell: ({ changedAt }) => ageOf(now - changedAt) },
    ...(where === 'here'
      ? []
      : [
          {
            title: 'FOLDER',
            cell: ({ folder }: TranscriptEntry) => shortPath(folder, environment),
          },
        ]),
    { title: 'TITLE', cell: ({ title }) => title },
  ];
}
