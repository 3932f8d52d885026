// Decides whether a configured server may start, and if not, why: a policy list blocks it, it is a duplicate,
// or it came with a folder or a plugin and the user has not approved it. Its only effects are reading script
// files and asking the trust store.

import {
  comesWith,
  type ConfiguredServer,
  entryTarget,
  type EntryTarget,
  type FieldReport,
  isFromPluginOrConnector,
  isForeign,
  launchFields,
  withSecretsAsWritten,
} from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import type { Configuration } from '../sources/index.ts';
import type { TrustStanding } from './consents.ts';
import { findDuplicates, signatureOf } from './duplicates.ts';
import { type BlockingRule, judgePolicy } from './judge-policy.ts';
import { curtail, type Handover } from './handover.ts';
import { hasForeignSay, isTurnedOn } from './needs-trust.ts';
import type { ScriptFile } from './script-files.ts';
import type { Trust } from './trust-store.ts';
import type { TrustLaunch, TrustSubject } from './trust-subject.ts';

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'blocked'; readonly rule: BlockingRule }
  /** `by`: the name of the server that it duplicates. */
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
  /** The files of the project that it runs, as they were judged. Absent if there are none. */
  readonly scripts?: readonly ScriptFile[];
  /** The user's own values that a foreign file would send elsewhere. Absent if there are none. */
  readonly handover?: Handover;
}

/** The servers to judge, and the policy lists. */
export interface AdmissionInput extends Pick<
  Configuration,
  'policies' | 'root' | 'explain' | 'without'
> {
  /** A server that was judged before keeps its handover. */
  readonly servers: readonly Judgeable[];
}

/**
 * `project`: servers may start without an approval. Which values they are given is still decided by the store
 * alone.
 */
export interface TrustInUse {
  readonly store: Trust;
  readonly mode: 'stored' | 'project';
}

/** Decides about every server, in the order of `judged.servers`. */
export async function admit(
  judged: AdmissionInput,
  environment: HostEnvironment,
  trust: TrustInUse,
): Promise<readonly AdmittedServer[]> {
  const { servers, policies } = judged;
  const context = { configuration: judged, environment };
  const duplicates = duplicatesAmong(servers);
  return Promise.all(
    servers.map(async (server): Promise<AdmittedServer> => {
      const policy = policyOn(server, policies);
      if (policy.kind === 'blocked') return { ...server, admission: policy };
      const by = duplicates.get(server.name);
      if (by !== undefined) return { ...server, admission: { kind: 'suppressed', by } };
      return trusted(server, context, trust);
    }),
  );
}

const ADMITTED: Admission = { kind: 'admitted' };

/** The circumstances in which servers are judged. */
interface TrustPlace {
  readonly configuration: Pick<Configuration, 'root' | 'explain'>;
  readonly environment: Pick<HostEnvironment, 'home'>;
}

function duplicatesAmong(servers: readonly ConfiguredServer[]): ReadonlyMap<string, string> {
  // Without servers of plugins and connectors, no address needs to be parsed.
  if (!servers.some(({ scope }) => isFromPluginOrConnector(scope))) return new Map();
  return findDuplicates(
    servers.map((server) => ({
      name: server.name,
      scope: server.scope,
      signature: signatureOf(launchTarget(server)),
    })),
  );
}

/** The subject that the user must approve before the server starts; `undefined` if no approval is needed. */
export async function trustSubject(
  server: Judgeable,
  place: TrustPlace,
): Promise<TrustSubject | undefined> {
  return (await judgedSubject(server, place))?.subject;
}

interface JudgedSubject {
  readonly subject: TrustSubject;
  readonly scripts: readonly ScriptFile[];
}

async function judgedSubject(
  server: Judgeable,
  context: TrustPlace,
): Promise<JudgedSubject | undefined> {
  // The server may now have less than what was approved.
  const subject = server.handover?.subject ?? writtenSubject(server, context.configuration);
  if (subject === undefined) return undefined;
  const scripts = await scriptsOf(server, subject, context);
  const { files: _before, ...launch } = subject.launch;
  if (scripts.length === 0) return { subject: { ...subject, launch }, scripts };
  const files = Object.fromEntries(scripts.map(({ shown, digest }) => [shown, digest]));
  return { subject: { ...subject, launch: { ...launch, files } }, scripts };
}

async function scriptsOf(
  { handover, scripts = [], resolved }: Judgeable,
  subject: TrustSubject,
  { configuration: { root }, environment }: TrustPlace,
): Promise<readonly ScriptFile[]> {
  // A plugin that the user installed does not belong to the current project.
  const isOfProject = subject.root === root || comesWith(subject.root, { root, environment });
  if (!isOfProject) return [];
  // Loaded on demand, since most configurations have no server of a project.
  const { scriptFiles, readAgain } = await import('./script-files.ts');
  if (handover !== undefined) return readAgain(scripts);
  return resolved.kind === 'ready' ? scriptFiles(resolved.entry, root) : [];
}

function writtenSubject(
  server: ConfiguredServer,
  configuration: TrustPlace['configuration'],
): TrustSubject | undefined {
  // Most servers have no foreign source, and explaining their fields takes time.
  if (!server.sources.some(({ author }) => isForeign(author))) return undefined;
  const fields = configuration.explain(server.name);
  const foreign = fields
    .flatMap(({ path, from }) => from.map(({ scope, author }) => ({ path, scope, author })))
    .filter(hasForeignSay);
  const disabled = fields.find(({ path }) => path.length === 1 && path[0] === 'disabled');
  const isOn = isTurnedOn([...(disabled?.from ?? []), ...(disabled?.lost ?? [])]);
  if (foreign.length === 0 && !isOn) return undefined;
  const startsIn = startFolderOf(server);
  return {
    name: server.name,
    root: (isOn ? undefined : pluginFolder(fields, foreign)) ?? configuration.root,
    launch: { ...launchOf(server), ...(isOn ? { isTurnedOn: true } : {}) },
    ...(startsIn === undefined ? {} : { startsIn }),
  };
}

function startFolderOf({ resolved }: ConfiguredServer): string | undefined {
  return resolved.kind === 'ready' && 'cwd' in resolved.entry ? resolved.entry.cwd : undefined;
}

/**
 * The plugin's folder, if only the plugin states launch fields. With fields of a project, an approval counts
 * only there.
 */
function pluginFolder(
  fields: readonly FieldReport[],
  foreign: readonly Pick<FieldReport['from'][number], 'scope'>[],
): string | undefined {
  if (foreign.some(({ scope }) => scope !== 'plugin')) return undefined;
  return fields.flatMap(({ from }) => from).find(({ scope }) => scope === 'plugin')?.folder;
}

/** The launch as written, which depends neither on secrets nor on the environment. */
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
  context: TrustPlace & { readonly configuration: AdmissionInput },
  { store, mode }: TrustInUse,
): Promise<AdmittedServer> {
  const judged = await judgedSubject(before, context);
  if (judged === undefined) return { ...before, admission: ADMITTED };
  const { subject } = judged;
  const server = withScripts(before, mode === 'project' ? [] : judged.scripts);
  const standing = await store.standingOf(subject);
  // An approval that is older than the handover gives nothing.
  const given = standing.kind === 'approved' ? (standing.given ?? []) : [];
  const untrusted = { kind: 'untrusted', subject, standing } as const;
  const isIn = mode === 'project' || standing.kind === 'approved';
  // The entries of a server that was judged before may be gone, so its values can no longer be withheld.
  if (server.handover !== undefined) {
    const isKept = server.handover.items.every(
      ({ isGiven, field }) => !isGiven || given.includes(field),
    );
    return { ...server, admission: isIn && isKept ? ADMITTED : untrusted };
  }
  const authors = new Set(server.sources.map(({ author }) => author));
  // With one author, no value goes from one author to another.
  if (authors.size === 1) return { ...server, admission: isIn ? ADMITTED : untrusted };
  const curtailed = await curtail(server, subject, { configuration: context.configuration, given });
  return {
    ...withScripts(curtailed, server.scripts ?? []),
    admission: isIn ? ADMITTED : untrusted,
  };
}

function withScripts(before: Judgeable, scripts: readonly ScriptFile[]): Judgeable {
  const { scripts: _before, ...server } = before;
  return scripts.length === 0 ? server : { ...server, scripts };
}

/** Policies do not apply to a server of the program itself. */
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
