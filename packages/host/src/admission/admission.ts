// Whether a configured server may start, and if not, why: a policy list keeps it out, it is the same as
// another one, or the user has not approved what came with a folder or a plugin. Pure, but for the trust
// store that is handed in.

import {
  type Author,
  authorOf,
  comesWith,
  type ConfiguredServer,
  entryOf,
  entryTarget,
  type EntryTarget,
  type FieldReport,
  isBrought,
  isForeign,
  launchFields,
  type StatementPlace,
  withSecretsAsWritten,
} from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import type { Configuration } from '../sources/index.ts';
import type { TrustStanding } from './consents.ts';
import { curtail } from './curtail.ts';
import { findDuplicates, signatureOf } from './duplicates.ts';
import { type BlockingRule, judgePolicy } from './judge-policy.ts';
import type { Handover } from './handover.ts';
import { hasForeignSay, isTurnedOn, type Switch } from './needs-trust.ts';
import type { ScriptFile } from './script-files.ts';
import type { Trust } from './trust-store.ts';
import type { TrustLaunch, TrustSubject } from './trust-subject.ts';

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'blocked'; readonly rule: BlockingRule }
  /** `by` is the name of the server that is the same. */
  | { readonly kind: 'suppressed'; readonly by: string }
  | {
      readonly kind: 'untrusted';
      readonly subject: TrustSubject;
      readonly standing: TrustStanding;
    };

export interface AdmittedServer extends Judgeable {
  readonly admission: Admission;
}

interface Judgeable extends ConfiguredServer {
  /** Files of the project that it runs, as they were judged. Absent where none are. */
  readonly scripts?: readonly ScriptFile[];
  /** What of the user's own a foreign file leads elsewhere. Absent where that is nothing. */
  readonly handover?: Handover;
}

/** What is judged, and by which lists. */
export interface AdmissionInput extends Pick<
  Configuration,
  'policies' | 'root' | 'explain' | 'without'
> {
  /** Those that were judged before keep what was withheld from them. */
  readonly servers: readonly Judgeable[];
}

/** `project`: what is not approved may start all the same. What it is given is said in the store alone. */
export interface TrustInUse {
  readonly store: Trust;
  readonly mode: 'stored' | 'project';
}

/** Decides for every server; in the order of `judged.servers`. */
export async function admit(
  judged: AdmissionInput,
  environment: HostEnvironment,
  trust: TrustInUse,
): Promise<readonly AdmittedServer[]> {
  const { servers, policies } = judged;
  const ground = { configuration: judged, environment, authorIn: authorsIn(judged, environment) };
  const duplicates = duplicatesAmong(servers);
  return Promise.all(
    servers.map(async (server): Promise<AdmittedServer> => {
      const policy = policyOn(server, policies);
      if (policy.kind === 'blocked') return { ...server, admission: policy };
      const by = duplicates.get(server.name);
      if (by !== undefined) return { ...server, admission: { kind: 'suppressed', by } };
      return trusted(server, ground, trust);
    }),
  );
}

const ADMITTED: Admission = { kind: 'admitted' };

/** Where servers are judged. */
interface TrustPlace {
  readonly configuration: Pick<Configuration, 'root' | 'explain'>;
  readonly environment: Pick<HostEnvironment, 'home'>;
}

/** What the decision takes beside the server. */
interface TrustGround extends TrustPlace {
  readonly authorIn: (source: StatementPlace) => Author;
}

function duplicatesAmong(servers: readonly ConfiguredServer[]): ReadonlyMap<string, string> {
  // Mostly nothing was brought, and then no address need be taken apart.
  if (!servers.some(({ scope }) => isBrought(scope))) return new Map();
  return findDuplicates(
    servers.map((server) => ({
      name: server.name,
      scope: server.scope,
      signature: signatureOf(launchTarget(server)),
    })),
  );
}

/** What the user must approve before the server starts; undefined if no approval is needed. */
export async function trustSubject(
  server: Judgeable,
  place: TrustPlace,
): Promise<TrustSubject | undefined> {
  const authorIn = authorsIn(place.configuration, place.environment);
  return (await judgedSubject(server, { ...place, authorIn }))?.subject;
}

interface JudgedSubject {
  readonly subject: TrustSubject;
  readonly scripts: readonly ScriptFile[];
}

async function judgedSubject(
  server: Judgeable,
  ground: TrustGround,
): Promise<JudgedSubject | undefined> {
  // By now it may have less than what is approved.
  const subject = server.handover?.subject ?? writtenSubject(server, ground);
  if (subject === undefined) return undefined;
  const scripts = await scriptsOf(server, subject, ground);
  const { files: _before, ...launch } = subject.launch;
  if (scripts.length === 0) return { subject: { ...subject, launch }, scripts };
  const files = Object.fromEntries(scripts.map(({ shown, digest }) => [shown, digest]));
  return { subject: { ...subject, launch: { ...launch, files } }, scripts };
}

async function scriptsOf(
  { handover, scripts = [], resolved }: Judgeable,
  subject: TrustSubject,
  { configuration: { root }, environment }: TrustGround,
): Promise<readonly ScriptFile[]> {
  // A plugin that the user installed is no part of the folder that one happens to be in.
  const isOfProject = subject.root === root || comesWith(subject.root, { root, environment });
  if (!isOfProject) return [];
  // Most have no server of a project, and need not load what this takes.
  const { scriptFiles, readAgain } = await import('./script-files.ts');
  if (handover !== undefined) return readAgain(scripts);
  return resolved.kind === 'ready' ? scriptFiles(resolved.entry, root) : [];
}

function writtenSubject(server: ConfiguredServer, ground: TrustGround): TrustSubject | undefined {
  const { configuration, authorIn } = ground;
  // Most servers have no such source, and finding out who stated which field costs time.
  if (!server.sources.some((source) => isForeign(authorIn(source)))) return undefined;
  const fields = configuration.explain(server.name);
  const said = fields
    .flatMap(({ path, from }) =>
      from.map((source) => ({ path, scope: source.scope, author: authorIn(entryOf(source)) })),
    )
    .filter(hasForeignSay);
  const isOn = isTurnedOn(switchesOf(fields, authorIn));
  if (said.length === 0 && !isOn) return undefined;
  const startsIn = startFolderOf(server);
  return {
    name: server.name,
    root: (isOn ? undefined : pluginFolder(fields, said)) ?? configuration.root,
    launch: { ...launchOf(server), ...(isOn ? { isTurnedOn: true } : {}) },
    ...(startsIn === undefined ? {} : { startsIn }),
  };
}

/** Remembers each answer: a thousand servers, each of many fields, come from a few files. */
function authorsIn(
  { root }: Pick<Configuration, 'root'>,
  environment: TrustPlace['environment'],
): (source: StatementPlace) => Author {
  const known = new Map<string, Author>();
  return (source) => {
    const { scope, origin } = source;
    const key = `${scope} ${origin.kind === 'file' ? origin.file : ''}`;
    const author = known.get(key) ?? authorOf(source, { root, environment });
    known.set(key, author);
    return author;
  };
}

function startFolderOf({ resolved }: ConfiguredServer): string | undefined {
  return resolved.kind === 'ready' && 'cwd' in resolved.entry ? resolved.entry.cwd : undefined;
}

function switchesOf(
  fields: readonly FieldReport[],
  authorIn: (source: StatementPlace) => Author,
): readonly Switch[] {
  const field = fields.find(({ path }) => path.length === 1 && path[0] === 'disabled');
  return [...(field?.from ?? []), ...(field?.lost ?? [])].map((source) => ({
    author: authorIn(entryOf(source)),
    isDisabled: source.value === true,
  }));
}

/** The plugin's, where it alone has a say: what a folder adds to it counts in that folder only. */
function pluginFolder(
  fields: readonly FieldReport[],
  said: readonly Pick<StatementPlace, 'scope'>[],
): string | undefined {
  if (said.some(({ scope }) => scope !== 'plugin')) return undefined;
  return fields.flatMap(({ from }) => from).find(({ scope }) => scope === 'plugin')?.folder;
}

/** As written: neither secrets nor what happens to be set in the environment has a part in it. */
function launchOf({ written, resolved }: ConfiguredServer): TrustLaunch {
  const read = resolved.kind === 'ready' ? resolved.envFile?.values : undefined;
  return {
    env: {},
    headers: {},
    ...launchFields(written),
    ...(read === undefined ? {} : { envFileValues: read }),
  };
}

async function trusted(
  before: Judgeable,
  ground: TrustGround & { readonly configuration: AdmissionInput },
  { store, mode }: TrustInUse,
): Promise<AdmittedServer> {
  const judged = await judgedSubject(before, ground);
  if (judged === undefined) return { ...before, admission: ADMITTED };
  const { subject } = judged;
  const server = withScripts(before, mode === 'project' ? [] : judged.scripts);
  const standing = await store.standingOf(subject);
  // An approval from before there was anything to give gives nothing.
  const given = standing.kind === 'approved' ? (standing.given ?? []) : [];
  const untrusted = { kind: 'untrusted', subject, standing } as const;
  const isIn = mode === 'project' || standing.kind === 'approved';
  // Of one that was judged before, the entries may be gone by which it could be given less now.
  if (server.handover !== undefined) {
    const isKept = server.handover.items.every(
      ({ isGiven, field }) => !isGiven || given.includes(field),
    );
    return { ...server, admission: isIn && isKept ? ADMITTED : untrusted };
  }
  const { authorIn } = ground;
  const authors = new Set(server.sources.map(authorIn));
  // With one author, no value goes from one author to another.
  if (authors.size === 1) return { ...server, admission: isIn ? ADMITTED : untrusted };
  const curtailed = await curtail(server, subject, {
    configuration: ground.configuration,
    authorIn: (statement) => authorIn(entryOf(statement)),
    given,
  });
  return {
    ...withScripts(curtailed, server.scripts ?? []),
    admission: isIn ? ADMITTED : untrusted,
  };
}

function withScripts(before: Judgeable, scripts: readonly ScriptFile[]): Judgeable {
  const { scripts: _before, ...server } = before;
  return scripts.length === 0 ? server : { ...server, scripts };
}

/** A server of the program itself is part of the program. */
function policyOn(
  server: ConfiguredServer,
  policies: Configuration['policies'],
): ReturnType<typeof judgePolicy> {
  if (policies.length === 0 || server.written.kind === 'sdk') return { kind: 'allowed' };
  const { name, writtenAs } = server;
  return judgePolicy({ name, writtenAs, target: launchTarget(server) }, policies);
}

/** Variables are expanded where possible, so that setting a variable cannot bypass a rule. */
function launchTarget({ written, resolved }: ConfiguredServer): EntryTarget {
  const target = entryTarget(resolved.kind === 'ready' ? resolved.entry : written);
  switch (target.kind) {
    case 'command':
      return { kind: 'command', argv: target.argv.map(withSecretsAsWritten) };
    case 'url':
      return { kind: 'url', url: withSecretsAsWritten(target.url) };
    case 'none':
      return target;
    default:
      return target satisfies never;
  }
}
