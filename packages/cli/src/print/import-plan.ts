// The plan of an import, for people and for programs. Values that may be secret are masked on both sides of a difference.

import { isObject } from '@plugboard/base';
import {
  FOREIGN_HOSTS,
  type ImportSource,
  type Note,
  type PlannedImport,
  shownAs,
} from '@plugboard/host/configuration';
import type { Output } from '../terminal.ts';
import { paint } from './paint.ts';
import { shortPath, type Standpoint } from './place.ts';
import { oneLine } from './sanitise.ts';
import { maskValue, quote, shownUrl, shownWords } from './target.ts';

export interface ShownPlan {
  readonly servers: readonly PlannedImport[];
  /** The servers that can be chosen, in the order of their numbers. */
  readonly choices: readonly PlannedImport[];
  /** The servers that "all" imports. */
  readonly all: readonly PlannedImport[];
  readonly file: string;
  readonly from: Standpoint;
}

export function planText(output: Output, plan: ShownPlan): string {
  const { servers, file, from } = plan;
  const blocks = servers.map((server) => serverLines(output, server, plan).join('\n'));
  const title = `${paint(output, 'bold', oneLine(shortPath(file, from)))}\n`;
  return `${title}${blocks.map((block) => `${block}\n`).join('')}`;
}

const OF_PROJECT = 'this project has it, not you: it is taken only by its number or name';
const SIGNS = { new: '+', same: '=', different: '~' } as const;

function serverLines(output: Output, server: PlannedImport, plan: ShownPlan): readonly string[] {
  const { name, change, sources, notes } = server;
  const number = plan.choices.indexOf(server) + 1;
  const label = (number === 0 ? '' : `${number}`).padStart(3);
  const places = oneLine(sources.map((source) => sourceText(source, plan.from)).join(', '));
  const title = `${label} ${SIGNS[change.kind]} ${name}  ${paint(output, 'dim', places)}`;
  if (change.kind === 'same') return [`${title}  already there`];
  const lines = change.kind === 'new' ? added(server) : changed(server, change);
  const remarks = [
    ...(change.kind === 'different' && number === 0 ? ['it differs: --force replaces it'] : []),
    ...(number > 0 && !plan.all.includes(server) ? [OF_PROJECT] : []),
    ...notes.map((note) => noteText(note)),
  ].map((remark) => `note: ${remark}`);
  return [title, ...[...lines, ...remarks].map((line) => `      ${oneLine(line)}`)];
}

/** The host, the file and the line of a server. */
export function sourceText({ host, at }: ImportSource, from: Standpoint): string {
  const title = FOREIGN_HOSTS.find(({ id }) => id === host)?.title ?? host;
  return `${title}, ${shortPath(at.file, from)}:${at.line}`;
}

function added({ entry }: PlannedImport): readonly string[] {
  return [...shownFields(entry)].map(([field, value]) => `+ ${field}: ${value}`);
}

function changed(
  { entry }: PlannedImport,
  { fields, existing }: Extract<PlannedImport['change'], { kind: 'different' }>,
): readonly string[] {
  const before = shownFields(isObject(existing) ? existing : {});
  const after = shownFields(entry);
  return fields.flatMap((field) => [
    ...(before.has(field) ? [`- ${field}: ${before.get(field)}`] : []),
    ...(after.has(field) ? [`+ ${field}: ${after.get(field)}`] : []),
  ]);
}

/** One item per field, and one per key of `env` and `headers`. Values that may be secret are hidden. */
export function shownFields(entry: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const fields = Object.entries(entry).flatMap(([field, value]): [string, string][] => {
    if (shownAs(field) === 'masked' && isObject(value)) {
      return Object.entries(value).map(([key, item]) => [
        `${field}.${key}`,
        maskValue(valueText(item)),
      ]);
    }
    return [[field, shownValue(field, value)]];
  });
  return new Map(fields);
}

function shownValue(field: string, value: unknown): string {
  const way = shownAs(field);
  switch (way) {
    case 'plain':
      return valueText(value);
    case 'words':
      return Array.isArray(value) ? shownWords(value.map(valueText)).map(quote).join(' ') : HIDDEN;
    case 'program':
      return quote(valueText(value));
    case 'url':
      return shownUrl(valueText(value));
    case 'masked':
    case 'line':
    case 'options':
      return HIDDEN;
    default:
      return way satisfies never;
  }
}

const HIDDEN = '(hidden)';

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const LEFT_OUT = {
  unknown: 'is not known here',
  'no-counterpart': 'has no counterpart here',
  approval: 'is left out: you decide again here which calls run without asking',
  unusable: 'cannot be used, and is left out',
} as const;

export function noteText(note: Note): string {
  switch (note.kind) {
    case 'renamed':
      return `it is called ${JSON.stringify(note.from.slice(0, 80))} there`;
    case 'left-out':
      return `${note.field} ${LEFT_OUT[note.why]}`;
    case 'filled-in':
      return `${note.field} is fixed to ${note.value}`;
    case 'needs-secret':
      return `${note.field} needs a secret: plugboard secret set ${note.secret}`;
    case 'needs-variable':
      return `${note.field} needs the environment variable ${note.variable}`;
    case 'unknown-placeholder':
      return `${note.field} holds a placeholder that is not known here; correct it, or the server fails`;
    case 'plain-text':
      return `\${ is plain text in ${note.field}, and is written $\${ here`;
    case 'plain-secret':
      return `${note.field} is in clear; better: plugboard secret set ${note.secret}, then \${secret:${note.secret}}`;
    default:
      return note satisfies never;
  }
}
