// Changes the settings of the user who started the gateway: enables, disables and trusts servers. The host follows its
// files by itself.

import { createHash } from 'node:crypto';
import { canonicalJson, isObject } from '@plugboard/base';
import {
  type AdmittedConfiguration,
  type AdmittedServer,
  approve,
  type EditProblem,
  enableServer,
  type HostEnvironment,
  type LaunchRisk,
  risksOf,
  setField,
  targetFile,
  type TrustSubject,
} from '@plugboard/host/configuration';
import type { TrustView } from '../console-api.ts';
import { type ApiAnswer, DONE, refused } from './route.ts';

export interface OwnSettings {
  readonly environment: HostEnvironment;
  /** `undefined` if the gateway reads no files, since a program gave it its servers. */
  readonly read: (() => Promise<AdmittedConfiguration>) | undefined;
}

/** What an approval of a server would start. */
export async function trustView(
  { read }: OwnSettings,
  name: string,
): Promise<TrustView | undefined> {
  const subject = subjectOf(await found(read, name));
  if (subject === undefined) return undefined;
  const { root, launch } = subject;
  return {
    digest: digestOf(subject),
    root,
    fields: Object.entries(launch).flatMap(([field, value]) => shownField(field, value)),
    risks: risksOf(launch).map(riskWords),
  };
}

export async function trustServer(
  { environment, read }: OwnSettings,
  name: string,
  digest: string,
): Promise<ApiAnswer> {
  const subject = subjectOf(await found(read, name));
  if (subject === undefined) return refused(409, 'It is no longer waiting for approval');
  if (digestOf(subject) !== digest) return refused(409, 'It has changed since it was shown');
  const approved = await approve(environment, subject);
  if (approved.ok) return DONE;
  return refused(409, `The approval could not be kept. In a terminal: plugboard trust ${name}`);
}

/** For this project, as `plugboard enable` and `plugboard disable` do. */
export async function switchServer(
  { environment, read }: OwnSettings,
  name: string,
  to: 'enable' | 'disable',
): Promise<ApiAnswer> {
  const server = await found(read, name);
  if (server === undefined)
    return refused(409, 'The program that started the gateway says whether it is on');
  if (server.scope === 'enterprise')
    return refused(409, 'The owner of this machine decides about it');
  const own = server.sources.find(
    ({ scope, origin }) => scope === 'local' && origin.kind === 'file',
  );
  const file =
    own?.origin.kind === 'file' ? own.origin.file : await targetFile(environment, 'local');
  const at = { file, name: own?.writtenAs ?? name };
  const set = (value: boolean) => setField({ ...at, path: ['disabled'], value });
  const switched = to === 'disable' ? await set(true) : await enableServer(at);
  if (!switched.ok) return unwritten(switched.error, file);
  if (to === 'disable' || (await found(read, name))?.written.disabled !== true) return DONE;
  // Another file disables it, too.
  const against = await set(false);
  return against.ok ? DONE : unwritten(against.error, file);
}

function unwritten({ kind }: EditProblem, file: string): ApiAnswer {
  return refused(409, `${file} could not be written (${kind})`);
}

async function found(read: OwnSettings['read'], name: string): Promise<AdmittedServer | undefined> {
  return (await read?.())?.servers.find((server) => server.name === name);
}

function subjectOf(server: AdmittedServer | undefined): TrustSubject | undefined {
  return server?.admission.kind === 'untrusted' ? server.admission.subject : undefined;
}

function digestOf({ name, root, launch }: TrustSubject): string {
  return createHash('sha256')
    .update(canonicalJson([name, root, launch]))
    .digest('hex');
}

const HIDDEN_VALUES: ReadonlySet<string> = new Set(['env', 'envFileValues', 'headers', 'oauth']);
/** Names a variable or a secret without its value. */
const PLACEHOLDER = /^\$\{[^}]*\}$/;

function shownField(field: string, value: unknown): TrustView['fields'] {
  if (value === undefined) return [];
  if (!isObject(value)) return [{ name: field, value: textOf(value) }];
  return Object.entries(value).map(([key, item]) => {
    const isShown = !HIDDEN_VALUES.has(field) || PLACEHOLDER.test(String(item));
    return { name: `${field}.${key}`, value: isShown ? textOf(item) : '(hidden)' };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function riskWords(risk: LaunchRisk): string {
  switch (risk.kind) {
    case 'inline-code':
      return 'It runs code that is written into its arguments.';
    case 'unpinned':
      return 'It runs whichever version of a package is the newest then.';
    case 'steering-variable':
      return `The variable ${risk.name} decides which code programs run, or whom they talk to.`;
    case 'receives':
      return `It gets what ${risk.placeholder} holds.`;
    case 'odd-characters':
      return `Its ${risk.field} contains characters that are invisible or look like others.`;
    default:
      return risk satisfies never;
  }
}
