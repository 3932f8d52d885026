// The settings of a configuration about flows of data: what happens to a call that would send something out
// after private data and foreign text were read, and the labels and origins of each server. Files that may
// have come with a project can only make it stricter.

import { isUrl } from '@plugboard/base';
import type { AdmittedServer } from '../admission/index.ts';
import {
  BUILT_IN_SERVERS,
  entryTarget,
  type FieldReport,
  type FlowMode,
  precedence,
} from '../config/index.ts';
import { type Label, LABELS, type ServerNature, type StatedLabels } from '../policy/index.ts';
import { type CallContext, countsAsOwn, type RuledConfiguration } from './call-rules.ts';

export interface FlowSettings {
  modeOf(server: string): FlowMode;
  natureOf(server: string): ServerNature;
}

export interface FlowContext extends Pick<CallContext, 'trust' | 'inProcess'> {
  /** The mode if no settings state one. */
  readonly flow: FlowMode;
}

const STRICTEST_FIRST: readonly FlowMode[] = ['deny', 'ask', 'off'];
const UNKNOWN: ServerNature = { stated: [], origins: [] };

export function flowSettings(
  configuration: RuledConfiguration,
  context: FlowContext,
): FlowSettings {
  const general = generalMode(configuration, context);
  const servers = new Map(configuration.servers.map((server) => [server.name, server]));
  const known = new Map<string, ServerFlow>();
  // Computed at the first call to a server, since most servers of a large configuration are never called.
  const flowOf = (name: string): ServerFlow | undefined => {
    const server = servers.get(name);
    if (server === undefined) return undefined;
    const found = known.get(name) ?? serverFlow(server, configuration, context.trust);
    known.set(name, found);
    return found;
  };
  const own = new Map(
    (context.inProcess ?? []).map((name) => [
      name,
      BUILT_IN_SERVERS.includes(name) ? { stated: [], origins: [name] } : UNKNOWN,
    ]),
  );
  return {
    modeOf: (server) => flowOf(server)?.mode?.(general) ?? general,
    natureOf: (server) => own.get(server) ?? flowOf(server)?.nature ?? UNKNOWN,
  };
}

interface ServerFlow {
  readonly mode: EntryMode | undefined;
  readonly nature: ServerNature;
}

function serverFlow(
  server: AdmittedServer,
  { explain }: RuledConfiguration,
  trust: CallContext['trust'],
): ServerFlow {
  const fields = explain(server.name).filter(({ path }) => path[0] === 'permissions');
  return { mode: entryMode(fields, trust), nature: natureOf(server, fields, trust) };
}

/** The strongest own source counts; a foreign source can only make it stricter. */
function generalMode({ permissions }: RuledConfiguration, { flow }: FlowContext): FlowMode {
  const [own] = permissions
    .filter((source) => source.isOwn && source.flow !== undefined)
    .toSorted((a, b) => precedence(b.scope) - precedence(a.scope));
  const others = permissions.filter(({ isOwn }) => !isOwn).flatMap((one) => one.flow?.value ?? []);
  return strictest([own?.flow?.value ?? flow, ...others]);
}

function strictest(modes: readonly FlowMode[]): FlowMode {
  return STRICTEST_FIRST.find((mode) => modes.includes(mode)) ?? 'ask';
}

type EntryMode = (general: FlowMode) => FlowMode;

function entryMode(
  fields: readonly FieldReport[],
  trust: CallContext['trust'],
): EntryMode | undefined {
  const field = fields.find(({ path }) => path[1] === 'flow');
  if (field === undefined) return undefined;
  const modesIn = (isOwn: boolean): readonly FlowMode[] =>
    field.from
      .filter((source) => countsAsOwn(source, trust) === isOwn)
      .flatMap(({ value }) => STRICTEST_FIRST.find((mode) => mode === value) ?? []);
  const own = modesIn(true);
  const others = modesIn(false);
  return (general) => strictest([own.length === 0 ? general : strictest(own), ...others]);
}

function natureOf(
  server: AdmittedServer,
  fields: readonly FieldReport[],
  trust: CallContext['trust'],
): ServerNature {
  const stated = fields
    .filter(({ path }) => path[1] === 'labels')
    .flatMap(({ from }) => from)
    .flatMap((source) => labelsIn(source.value, countsAsOwn(source, trust)));
  // A project could give anything the name of a well-known package.
  return { stated, origins: countsAsOwn(server, trust) ? originsOf(server) : [] };
}

/** Its shape was checked. */
function labelsIn(value: unknown, isOwn: boolean): readonly StatedLabels[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([pattern, given]: [string, unknown]) => ({
    pattern,
    labels: LABELS.filter((label: Label) => Array.isArray(given) && given.includes(label)),
    isOwn,
  }));
}

const RUNNERS = /^(?:npx|bunx|uvx|pnpx)(?:\.cmd|\.exe)?$/u;
const VERSION = /(?<=.)@[^/]*$/u;

/** The package that an entry runs, or the host that it reaches. */
function originsOf({ written }: AdmittedServer): readonly string[] {
  const target = entryTarget(written);
  if (target.kind === 'none') return [];
  if (target.kind === 'url') return isUrl(target.url) ? [new URL(target.url).hostname] : [];
  const [command = '', ...args] = target.argv;
  const program = command.split(/[\\/]/u).at(-1) ?? '';
  const first = args.find((argument) => !argument.startsWith('-')) ?? '';
  if (RUNNERS.test(program)) return [first.replace(VERSION, '')];
  const inModules = /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/u.exec(first)?.[1];
  return inModules === undefined ? [program] : [inModules.replaceAll('\\', '/')];
}
