// The text that a person sees before approving a server: everything that would run or be reached, as written, and warnings.
// The command asks the question and stores the answer.
//
// Arguments and addresses are shown completely, since nobody can approve what they have not seen. They come from a file
// that the user can read. Values of variables and headers stay hidden.

import { isObject, isUrl } from '@plugboard/base';
import type {
  FieldChange,
  HandedItem,
  LaunchRisk,
  Origin,
  TrustStanding,
  TrustSubject,
} from '@plugboard/host/configuration';
import { ALL_TRANSPORTS, risksOf } from '@plugboard/host/configuration';
import { firstLines } from './call-screen.ts';
import { handoverLines, signInOf } from './handover-words.ts';
import { place, shortPath, type Standpoint } from './place.ts';
import { dayOf } from './times.ts';
import { quoted, visible } from './visible.ts';
import { padTo, widthOf } from './width.ts';

export interface TrustQuestion {
  readonly subject: TrustSubject;
  readonly standing: TrustStanding;
  /** The places of fields, by name: `command`, `env.TOKEN`. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The user's own values that would go to a destination from a foreign file. */
  readonly items?: readonly HandedItem[];
}

type Row = readonly [title: string, text: string];

export function trustScreen(question: TrustQuestion, from: Standpoint): string {
  const { name, root, launch } = question.subject;
  const paragraphs = [
    [`Server ${quoted(name)} of ${visible(shortPath(root, from))}`],
    (launch.args ?? []).flatMap(firstLines),
    [...aligned(questionRows(question, from))],
    handoverLines(question.items ?? [], launch, from),
    changeLines(question.standing),
    risksOf(launch)
      .flatMap((risk) => withoutItems(risk, question.items ?? []))
      .map((risk) => `warning: ${riskWords(risk, launch)}`),
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** Some internal kinds have another name for people. */
function transportWord(kind: string): string {
  return ALL_TRANSPORTS.find((each) => each.kind === kind)?.name ?? kind;
}

function questionRows({ subject, origins }: TrustQuestion, from: Standpoint): readonly Row[] {
  const { launch } = subject;
  const { command, args = [], url, headersHelper, envFile } = launch;
  const at = (field: string): string => {
    const origin = origins.get(field);
    return origin === undefined ? '' : `  ${visible(place(origin, from))}`;
  };
  const named = (title: string, field: string, values: ShownValues) =>
    Object.entries(values).map(([key, value]): Row => [
      title,
      `${visible(key)} = ${value}${at(`${field}.${key}`)}`,
    ]);
  const rows = {
    type: one('type', launch.type && `${visible(transportWord(launch.type))}${at('type')}`),
    command: one('runs', command && `${[command, ...args].map(quoted).join(' ')}${at('command')}`),
    args: one('  arguments', hasOtherSource(origins) && `of another entry${at('args')}`),
    files: Object.keys(launch.files ?? {}).map((file): Row => ['its file', quoted(file)]),
    cwd: one('in folder', (command ?? launch.cwd) && folderOf(subject, at('cwd'), from)),
    url: one('reaches', url && `${quoted(url)}${hostOf(url)}${at('url')}`),
    env: named('variable', 'env', shownValues(launch.env)),
    envFile: one('variables of', envFile && `${quoted(envFile)}${at('envFile')}`),
    envFileValues: named('  its', 'envFileValues', shownValues(launch.envFileValues)),
    headers: named('header', 'headers', shownValues(launch.headers)),
    headersHelper: one(
      'headers from',
      headersHelper && `${[headersHelper].flat().map(quoted).join(' ')}${at('headersHelper')}`,
    ),
    oauth: named('sign-in', 'oauth', shownSignIn(launch.oauth)),
    isTurnedOn: one('turned on', launch.isTurnedOn && `though you have it off${at('disabled')}`),
  };
  // Every field must be seen before the approval, including fields that have no row above.
  const others = Object.entries(launch).filter(
    ([field, value]) => value !== undefined && !Object.hasOwn(rows, field),
  );
  return [
    ...Object.values(rows).flat(),
    ...others.flatMap(([field, value]) =>
      isObject(value)
        ? named(field, field, shownValues(value))
        : one(field, `${otherText(value)}${at(field)}`),
    ),
  ];
}

function otherText(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : visible(JSON.stringify(value));
}

/** Whether the arguments come from another file than the command. */
function hasOtherSource(origins: TrustQuestion['origins']): true | undefined {
  const [command, args] = [origins.get('command'), origins.get('args')];
  if (command?.kind !== 'file' || args?.kind !== 'file') return undefined;
  return command.file === args.file ? undefined : true;
}

function one(title: string, text: string | undefined): readonly Row[] {
  return text === undefined || text === '' ? [] : [[title, text]];
}

function folderOf(
  { launch: { cwd }, startsIn = '' }: TrustSubject,
  where: string,
  from: Standpoint,
): string {
  if (cwd !== undefined) return `${quoted(cwd)}${where}`;
  const isElsewhere = startsIn !== '' && startsIn !== from.cwd;
  return isElsewhere ? visible(shortPath(startsIn, from)) : '(the one you are in)';
}

type ShownValues = Readonly<Record<string, string>>;

function shownValues(values: Readonly<Record<string, unknown>> = {}): ShownValues {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, shownValue(value)]));
}

/** Shows addresses as well, since they are reached. */
function shownSignIn(oauth: TrustSubject['launch']['oauth'] = {}): ShownValues {
  const isAddress = (value: unknown): value is string =>
    typeof value === 'string' && /^https?:/i.test(value);
  return Object.fromEntries(
    Object.entries(oauth).map(([key, value]) => [
      key,
      isAddress(value) ? `${quoted(value)}${hostOf(value)}` : shownValue(value),
    ]),
  );
}

/** Shows a text that consists of placeholders without defaults. Any other text may be a secret. */
function shownValue(value: unknown): string {
  const isPlain =
    typeof value === 'string' &&
    /^(?:(?:Bearer|Basic|Token) )?(?:\$\{(?:secret:)?[\w.-]+\})+$/i.test(value);
  return isPlain ? value : '(hidden)';
}

/** The real host, unless it is obvious: `https://good.com@evil.com` leads to evil.com. */
function hostOf(url: string): string {
  if (!isUrl(url) || url.includes('${')) return '';
  const { protocol, host } = new URL(url);
  return url.startsWith(`${protocol}//${host}/`) || url === `${protocol}//${host}`
    ? ''
    : ` (host ${visible(host)})`;
}

function aligned(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(([title]) => widthOf(title)));
  return rows.map(([title, text]) => `  ${padTo(title, width)}  ${text}`);
}

function changeLines(standing: TrustStanding): readonly string[] {
  if (standing.kind !== 'changed') return [];
  const since = `You approved it on ${dayOf(standing.at)}.`;
  if (standing.changes.length === 0) return [`${since} It has changed since.`];
  return [`${since} Since then:`, ...standing.changes.map((change) => `  ${changeWords(change)}`)];
}

const CHANGES = { added: 'new', removed: 'gone', changed: 'changed' } as const;

function changeWords({ kind, field }: FieldChange): string {
  return `${padTo(CHANGES[kind], 7)}  ${changedField(field)}`;
}

/** Some approved values are not fields of an entry. */
function changedField(field: string): string {
  if (field === 'isTurnedOn') return 'turned on, though you have it off';
  const [, file] = /^files\.(.+)$/s.exec(field) ?? [];
  if (file !== undefined) return `the file ${quoted(file)}, which it runs`;
  const [, variable] = /^envFileValues\.(.+)$/s.exec(field) ?? [];
  return visible(variable === undefined ? field : `${variable} in envFile`);
}

/** The values under `oauth` go to the authorization server and not to the server. */
function signInWords(fields: readonly string[], launch: TrustSubject['launch']): string {
  const isShown = fields.some((field) => field.startsWith('oauth.'));
  return isShown ? `; what is under "oauth" goes to ${signInOf(launch)}` : '';
}

/** Leaves out the values that have their own question. */
function withoutItems(risk: LaunchRisk, items: readonly HandedItem[]): readonly LaunchRisk[] {
  if (risk.kind !== 'receives') return [risk];
  const asked = new Set(items.map(({ field }) => field));
  const fields = risk.fields.filter((field) => !asked.has(field));
  return fields.length === 0 ? [] : [{ ...risk, fields }];
}

function riskWords(risk: LaunchRisk, launch: TrustSubject['launch']): string {
  switch (risk.kind) {
    case 'inline-code':
      return `it runs code that is written into its command line (${visible(risk.program)} ${visible(risk.flag)})`;
    case 'unpinned':
      return `${visible(risk.runner)} downloads ${quoted(risk.package)} without a fixed version: tomorrow it can be other code`;
    case 'steering-variable':
      return `the variable ${visible(risk.name)} can change which code runs, or whom it talks to; it is ${quoted(risk.value)}`;
    case 'receives':
      return `it is given what ${visible(risk.placeholder)} holds (${risk.fields.map(visible).join(', ')})${signInWords(risk.fields, launch)}`;
    case 'odd-characters':
      return `"${visible(risk.field)}" holds characters beyond plain ASCII: they can look like others`;
    default:
      return risk satisfies never;
  }
}
