// Reads every source of servers but connectors, and leaves out what does not count: all but the owner's where the
// machine's owner decides alone, and all but the named ones where a person wants those only.

import {
  type Claim,
  type ConfigFile,
  enterpriseFiles,
  isDefinition,
  isDiscovered,
  locateFiles,
  projectFolders,
  projectRoot,
} from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { pluginFolders, type PluginSource, pluginSources } from '../plugins/index.ts';
import { type ClaudeCodeSource, readClaudeCode } from './claude-code-servers.ts';
import { EDITOR_ORIGIN, ideFolder, ideServers } from './ide-servers.ts';
import { withMadeNames } from './made-names.ts';
import { readMcpConfig } from './mcp-config.ts';
import { claimsFrom, readSources, type Source } from './source.ts';

export interface GatherOptions {
  readonly environment: HostEnvironment;
  /** Entries by name, as they would stand in a file: the `dynamic` scope. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Who gave them, for messages. */
  readonly givenBy?: string;
  /**
   * Files and JSON that a person names for one run, as with `--mcp-config`: the `dynamic` scope. Of two that
   * speak of one server, the later one is stronger.
   */
  readonly mcpConfig?: readonly string[];
  /** `only`: no server counts but those of `mcpConfig` and `given`. Settings beside servers count as always. */
  readonly mcpConfigCounts?: 'with-others' | 'only';
  /** `none` leaves out local, project and user files. The machine owner's file counts all the same. */
  readonly files?: 'discover' | 'none';
  /** `discover` adds the servers of editors that have the working directory open; weaker than all else given. */
  readonly ide?: 'discover' | 'none';
  /** Where the machine's owner puts files; the platform's places if absent. */
  readonly enterprise?: readonly ConfigFile[];
}

export interface GatheredSources {
  /** Strongest first; with the claims that count. */
  readonly sources: readonly Source[];
  readonly plugins: readonly PluginSource[];
  /** Where plugins may lie. */
  readonly pluginFolders: readonly string[];
  /** What the program gives. */
  readonly given: readonly Claim[];
  /** What the program gives or a person names, and the machine's owner does not let in. */
  readonly refused: readonly Claim[];
  readonly root: string;
  /** What Claude Code has, unless it is not looked for. It is among the sources as well. */
  readonly claudeCode: ClaudeCodeSource | undefined;
  /** Where editors tell of their servers, where those count. */
  readonly ideFolders: readonly string[];
}

/** Whether nothing counts but the servers that are named for this run. */
export function isStrict({ mcpConfigCounts }: Pick<GatherOptions, 'mcpConfigCounts'>): boolean {
  return mcpConfigCounts === 'only';
}

/** All sources, with what editors tell; a name that is defined elsewhere is left to that server. */
export async function gatherSources(options: GatherOptions): Promise<GatheredSources> {
  const { environment } = options;
  const { isExclusive, ...unnamed } = await gatherWritten(options);
  const written = { ...unnamed, sources: withMadeNames(unnamed.sources, unnamed.given) };
  const settings = written.sources.flatMap(({ discover }) => discover);
  const looks =
    options.ide === 'discover' &&
    !isExclusive &&
    !isStrict(options) &&
    isDiscovered('editors', settings, environment);
  if (!looks) return { ...written, ideFolders: [] };
  const claims = [...written.given, ...written.sources.flatMap((source) => source.claims)];
  return {
    ...written,
    given: [...written.given, ...(await editorClaims(environment, claims.filter(isDefinition)))],
    ideFolders: [ideFolder(environment)],
  };
}

interface WrittenSources extends Omit<GatheredSources, 'ideFolders'> {
  /** The machine's owner decides alone. */
  readonly isExclusive: boolean;
}

async function gatherWritten(options: GatherOptions): Promise<WrittenSources> {
  const { environment, mcpConfig = [] } = options;
  const walk = projectFolders(environment.cwd);
  const owners = options.enterprise ?? enterpriseFiles(environment);
  // Where things are is looked for meanwhile: waiting for the disk one by one is what takes longest.
  const [enterprise, named, files, folders, root] = await Promise.all([
    readSources(owners, 1),
    readMcpConfig(mcpConfig, environment, owners.length + 1),
    locateFiles(environment, walk),
    pluginFolders(environment, walk),
    projectRoot(environment.cwd, walk),
  ]);
  // Present but unreadable or broken is present: else breaking the file would lift its rule.
  const isExclusive = enterprise.some(
    ({ file, state }) => file.format === 'managed' && state !== 'missing',
  );
  const isAlone = isExclusive || options.files === 'none';
  const hasOthers = !isAlone && !isStrict(options);
  // Such a file has nothing but servers.
  const read = isStrict(options) ? files.filter(({ format }) => format !== 'mcp-json') : files;
  const [others, plugins] = await Promise.all([
    isAlone ? [] : readSources(read, owners.length + named.length + 1),
    hasOthers ? pluginSources(environment, walk) : [],
  ]);
  const settings = [...enterprise, ...others].flatMap(({ discover }) => discover);
  const claudeCode =
    hasOthers && isDiscovered('claudeCode', settings, environment)
      ? await readClaudeCode({ environment, root })
      : undefined;
  const stated = givenClaims(options);
  const given = isExclusive ? stated.filter(isInProcess) : stated;
  const names = new Set(
    [...given, ...named.flatMap(({ claims }) => claims)].map(({ name }) => name),
  );
  return {
    sources: [
      ...(isStrict(options) ? enterprise.map((source) => onlyAbout(names, source)) : enterprise),
      ...(isExclusive ? named.map((source) => onlyAbout(NONE, source)) : named),
      ...(isStrict(options) ? others.map((source) => onlyAbout(NONE, source)) : others),
      ...(claudeCode === undefined ? [] : [claudeCode]),
    ],
    plugins,
    pluginFolders: hasOthers ? folders : [],
    given,
    refused: isExclusive
      ? [
          ...stated.filter((claimed) => !isInProcess(claimed)),
          ...named.flatMap(({ claims }) => claims),
        ]
      : [],
    root,
    claudeCode,
    isExclusive,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** A source without what it says about other servers. */
function onlyAbout(names: ReadonlySet<string>, source: Source): Source {
  return {
    ...source,
    claims: source.claims.filter(({ name }) => names.has(name)),
    diagnostics: source.diagnostics.filter(
      ({ server }) => server === undefined || names.has(server),
    ),
  };
}

function givenClaims(options: GatherOptions): readonly Claim[] {
  const { environment, given = {}, givenBy = 'program' } = options;
  return claimsFrom(Object.entries(given), {
    scope: 'dynamic',
    position: 0,
    folder: environment.cwd,
    origin: { kind: 'given', by: givenBy },
  });
}

async function editorClaims(
  environment: HostEnvironment,
  defined: readonly Claim[],
): Promise<readonly Claim[]> {
  const taken = new Set(defined.map(({ name }) => name));
  return claimsFrom(Object.entries(await ideServers(environment, taken)), {
    scope: 'dynamic',
    position: WEAKEST,
    folder: environment.cwd,
    origin: EDITOR_ORIGIN,
  });
}

const WEAKEST = Number.MAX_SAFE_INTEGER;

/** A server that lives in the program is part of the program, which its owner chose to run. */
function isInProcess({ fields }: Claim): boolean {
  return fields?.type === 'sdk';
}
