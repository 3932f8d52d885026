// Loads everything that is configured for a working directory, by files and by the program: checked, merged and with
// variables filled in. Only reads files; never starts a program, never throws.

import { groupBy } from '@plugboard/base';
import {
  type Author,
  type AuthorOf,
  authorsIn,
  CONNECTORS_KEY,
  propertyNamed,
  type Claim,
  claimsByName,
  type ConfigFile,
  configure,
  type ConfiguredServer,
  type Diagnostic,
  explainFields,
  type FieldPath,
  type FieldReport,
  type Lookup,
  mergeClaims,
  type ObjectSettings,
  objectSettings,
  type PinSetting,
  type PolicyList,
  PROJECT_VARIABLE,
  type ReadFile,
  readPinSetting,
  type RejectedServer,
  type Scope,
  type SettingsText,
  type StartFolders,
  type ResolutionContext,
  withhold,
} from '../config/index.ts';
import type { ConfiguredConnector, ConnectorSource } from '../connectors/index.ts';
import { type HostEnvironment, neutralFolder } from '../platform/index.ts';
import { pluginFiles, type PluginSource } from '../plugins/index.ts';
import { type CallSettings, givenCallSettings } from './call-settings.ts';
import { type ClaudeCodeSource, readClaudeCode } from './claude-code-servers.ts';
import { type GatherOptions, gatherSources, isStrict } from './gather-sources.ts';
import { isInline } from './mcp-config.ts';
import { byPlace, claimsFrom, claimsIn, type Source } from './source.ts';

export interface LoadOptions extends GatherOptions {
  /** The settings `permissions` and `hooks`, as they would be in a file: the `dynamic` scope. */
  readonly givenSettings?: { readonly permissions?: unknown; readonly hooks?: unknown };
}

export interface Configuration extends ObjectSettings {
  /** In the order of names. */
  readonly servers: readonly ConfiguredServer[];
  /** Names without a usable entry; `diagnostics` explains why. In the order of names. */
  readonly rejected: readonly RejectedServer[];
  /** About files and entries, in the order of the files. Those about unset variables are with their server. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was looked for, strongest first. */
  readonly files: readonly FileReport[];
  /** The lists of servers that sources allow or deny. */
  readonly policies: readonly PolicyList[];
  /** The settings about calls: rules, modes and hooks. */
  readonly permissions: CallSettings['permissions'];
  readonly hooks: CallSettings['hooks'];
  readonly connectors: readonly ConfiguredConnector[];
  /** The settings about pinning; strongest first. */
  readonly pins: readonly PinSetting[];
  /** The top of the project: everything below it may have come with a repository. */
  readonly root: string;
  /** The folders in which programs start. */
  readonly folders: StartFolders;
  /** Every file whose change may change the configuration. A path that ends in a slash is a folder. */
  readonly watched: readonly string[];
  /** Claude Code's own file, if its servers count. */
  readonly busy: BusyFile | undefined;
  /** Every field of a server with its sources; empty for an unknown name. */
  readonly explain: (name: string) => readonly FieldReport[];
  /** A usable server without some of its fields. Its command or URL cannot be left out. */
  readonly without: (name: string, paths: readonly FieldPath[]) => Promise<CurtailedServer>;
}

export interface CurtailedServer {
  readonly server: ConfiguredServer;
  /** As `explain` returns them. */
  readonly fields: readonly FieldReport[];
}

/**
 * A file that another program writes all the time, mostly without changing the parts that are read. It is not
 * among the watched files: a caller that watches it first compares the signature.
 */
export interface BusyFile {
  readonly path: string;
  /** A signature of the parts that were read; `undefined` while the file cannot be read. */
  readonly signature: string | undefined;
  /** Reads the current signature. */
  readonly look: () => Promise<string | undefined>;
}

export interface FileReport {
  readonly path: string;
  readonly scope: Scope;
  readonly state: ReadFile['state'];
}

export async function loadConfig(options: LoadOptions): Promise<Configuration> {
  const lookup = lookupIn(options.environment);
  const gathered = await gatherSources(options);
  const { sources, plugins, pluginFolders, given, refused, root, claudeCode } = gathered;
  const { environment } = options;
  const folders = { project: environment.cwd, root, neutral: neutralFolder(environment, root) };
  const authorOf = authorsIn({ root, environment });
  const context = { lookup, folders, authorOf };
  const texts = settingsTexts(sources, authorOf);
  const connectors = isStrict(options)
    ? NO_CONNECTORS
    : await connectorsOf(texts, { ...context, environment });
  const pins = texts.map(({ settings, ...by }) => readPinSetting(settings, by));
  const calls = givenCallSettings(options.givenSettings ?? {}, {
    by: options.givenBy ?? 'program',
    folder: environment.cwd,
  });
  const listed = [...plugins.flatMap(pluginClaims), ...connectors.listed.flatMap(connectorClaims)];
  const claims = [...given, ...sources.flatMap((source) => source.claims), ...listed];
  const found = await serversOf(claims, context);
  return {
    servers: found.servers,
    rejected: found.rejected,
    diagnostics: [
      ...given.flatMap(({ diagnostics }) => diagnostics),
      ...refused.map(excluded),
      ...calls.diagnostics,
      ...inOrderOf(sources, [
        ...found.diagnostics,
        ...connectors.diagnostics,
        ...pins.flatMap(({ diagnostics }) => diagnostics),
      ]),
      ...plugins.flatMap(({ diagnostics }) => diagnostics),
      ...connectors.listed.flatMap(({ diagnostics }) => diagnostics),
      ...listed.flatMap(({ diagnostics }) => diagnostics),
    ],
    files: sources.map(({ file: { path, scope }, state }) => ({ path, scope, state })),
    policies: sources.flatMap(({ policies }) => policies),
    permissions: [...calls.permissions, ...sources.flatMap(({ permissions }) => permissions)],
    hooks: [...calls.hooks, ...sources.flatMap(({ hooks }) => hooks)],
    connectors: connectors.connectors,
    pins: pins.flatMap(({ settings }) => settings),
    ...objectSettings((key) => sources.flatMap((source) => source[key])),
    root,
    folders,
    watched: watchedPaths({
      lists: connectors.files,
      sources,
      plugins,
      servers: found.servers,
      folders: [...pluginFolders, ...gathered.ideFolders],
    }),
    busy: claudeCode === undefined ? undefined : busyFile(claudeCode, { ...options, root }),
    explain: found.explain,
    without: found.without,
  };
}

function busyFile(
  { file, signature }: ClaudeCodeSource,
  place: Parameters<typeof readClaudeCode>[0],
): BusyFile {
  const look = async (): Promise<string | undefined> => (await readClaudeCode(place)).signature;
  return { path: file.path, signature, look };
}

interface Connectors {
  readonly connectors: readonly ConfiguredConnector[];
  readonly diagnostics: readonly Diagnostic[];
  /** Their latest lists. */
  readonly listed: readonly ConnectorSource[];
  /** The files that store the lists. */
  readonly files: readonly string[];
}

const NO_CONNECTORS: Connectors = { connectors: [], diagnostics: [], listed: [], files: [] };

interface AuthoredText extends Pick<ConfigFile, 'scope' | 'folder'> {
  readonly settings: SettingsText;
  readonly author: Author;
}

function settingsTexts(sources: readonly Source[], authorOf: AuthorOf): readonly AuthoredText[] {
  return sources.flatMap(({ file: { path, scope, folder }, settings }) => {
    if (settings === undefined) return [];
    const origin = { kind: 'file', file: path, line: 1, column: 1 } as const;
    return [{ settings, scope, folder, author: authorOf({ scope, origin }) }];
  });
}

async function connectorsOf(
  texts: readonly AuthoredText[],
  { environment, ...context }: ResolutionContext & Pick<LoadOptions, 'environment'>,
): Promise<Connectors> {
  const naming = texts
    .filter(({ settings }) => propertyNamed(settings.root, CONNECTORS_KEY) !== undefined)
    .map((text) => ({ ...text, ...context }));
  if (naming.length === 0) return NO_CONNECTORS;
  // Few files name connectors, and a command should load only what it needs.
  const { readConnectors, storedLists } = await import('../connectors/index.ts');
  const read = naming.map(readConnectors);
  const byName = new Map<string, ConfiguredConnector>();
  for (const connector of read.flatMap(({ connectors }) => connectors)) {
    if (!byName.has(connector.name)) byName.set(connector.name, connector);
  }
  const connectors = [...byName.values()];
  const { sources, files } = await storedLists(connectors, environment);
  const diagnostics = read.flatMap((one) => one.diagnostics);
  return { connectors, diagnostics, listed: sources, files };
}

interface ReadSources {
  readonly sources: readonly Source[];
  readonly plugins: readonly PluginSource[];
  readonly servers: readonly ConfiguredServer[];
  /** The stored lists of connectors. */
  readonly lists: readonly string[];
  /** Folders whose entries matter. */
  readonly folders: readonly string[];
}

function watchedPaths(read: ReadSources): readonly string[] {
  const paths = [
    ...read.sources.flatMap(({ file }) => (isWatched(file) ? [file.path] : [])),
    ...read.lists,
    ...read.folders.map((folder) => `${folder}/`),
    ...read.plugins.flatMap(pathsOf),
    ...read.servers.flatMap(({ resolved }) => resolved.envFile?.path ?? []),
  ];
  return [...new Set(paths)];
}

function isWatched(file: Source['file']): boolean {
  return !isInline(file) && file.scope !== 'claude-code';
}

/** Includes the places of its problems, which may be corrected there. */
function pathsOf({ folder, file, servers, diagnostics }: PluginSource): readonly string[] {
  const read = [...servers.map(({ keyAt }) => keyAt([])), ...diagnostics];
  return [...pluginFiles(folder), file, ...read.map((at) => at.file)];
}

/** The diagnostics of the sources and of their merge, file by file. */
function inOrderOf(
  sources: readonly Source[],
  merged: readonly Diagnostic[],
): readonly Diagnostic[] {
  const paths = new Set(sources.map(({ file }) => file.path));
  const elsewhere = merged.filter(({ file }) => !paths.has(file));
  const ofFile = groupBy(merged, ({ file }) => file);
  const inFiles = sources.flatMap(({ file, diagnostics }) => {
    const more = ofFile.get(file.path) ?? [];
    return more.length === 0 ? diagnostics : [...diagnostics, ...more].toSorted(byPlace);
  });
  return [...elsewhere, ...inFiles];
}

function pluginClaims(
  { servers, folder, variables }: PluginSource,
  position: number,
): readonly Claim[] {
  return claimsIn(servers, { scope: 'plugin', position, folder, variables });
}

/** Their place is where the connector is configured: the list itself is not in a file of the user's. */
function connectorClaims(
  { connector: { origin }, servers }: ConnectorSource,
  position: number,
): readonly Claim[] {
  const entries = servers.map(({ name, entry }) => [name, entry] as const);
  return claimsFrom(entries, { scope: 'connector', position, folder: '', origin });
}

function excluded({ name, place }: Claim): Diagnostic {
  return {
    severity: 'warning',
    code: 'enterprise-exclusive',
    message: `"${name}" is left out: this machine's owner decides which servers there are.`,
    suggestion: 'Ask the owner of the machine to add it.',
    ...place.keyAt([]),
    server: name,
  };
}

async function serversOf(
  claims: readonly Claim[],
  context: ResolutionContext,
): Promise<Pick<Configuration, 'servers' | 'rejected' | 'diagnostics' | 'explain' | 'without'>> {
  const byName = new Map(claimsByName(claims));
  const configured = await Promise.all(
    [...byName].map(([name, same]) => configure(mergeClaims(name, same), context)),
  );
  const servers: ConfiguredServer[] = [];
  const rejected: RejectedServer[] = [];
  configured.forEach((each) => {
    if (each.kind === 'usable') servers.push(each.server);
    else rejected.push(each.server);
  });
  const diagnostics = configured.flatMap((each) => each.diagnostics);
  const explain = (name: string): readonly FieldReport[] => {
    const same = byName.get(name);
    // Merged again, since few servers need it, and keeping all results costs more.
    return same === undefined ? [] : explainFields(mergeClaims(name, same), context.authorOf);
  };
  const without: Configuration['without'] = async (name, paths) => {
    const merged = withhold(mergeClaims(name, byName.get(name) ?? []), paths);
    const curtailed = await configure(merged, context);
    if (curtailed.kind !== 'usable') throw new RangeError('a server without its target');
    return { server: curtailed.server, fields: explainFields(merged, context.authorOf) };
  };
  return { servers, rejected, diagnostics, explain, without };
}

function lookupIn(environment: HostEnvironment): Lookup {
  const inEnvironment = environmentLookup(environment);
  const { cwd } = environment;
  return (variable) => (variable === PROJECT_VARIABLE ? cwd : inEnvironment(variable));
}

function environmentLookup({ env, platform }: HostEnvironment): Lookup {
  // Variable names are case-insensitive on Windows, but not in the snapshot of the environment.
  if (platform === 'win32') {
    const folded = new Map(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
    return (variable) => folded.get(variable.toUpperCase());
  }
  return (variable) => (Object.hasOwn(env, variable) ? env[variable] : undefined);
}
