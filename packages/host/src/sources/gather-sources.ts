// Reads every source of servers except connectors, and leaves out those that do not count: all but the owner's if the
// machine's owner decides alone, and all but the named ones in strict mode.

import {
  type Claim,
  type ConfigFile,
  enterpriseFiles,
  isDefinition,
  locateFiles,
  type ObjectSetting,
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
  /** The name of the program, for messages. */
  readonly givenBy?: string;
  /**
   * Files and JSON that a person names for one run, as with `--mcp-config`: the `dynamic` scope. If two
   * define the same server, the later one is stronger.
   */
  readonly mcpConfig?: readonly string[];
  /** `only` (strict mode): only the servers of `mcpConfig` and `given` count. Other settings count as always. */
  readonly mcpConfigCounts?: 'with-others' | 'only';
  /** `none` leaves out local, project and user files, but not the files of the machine's owner. */
  readonly files?: 'discover' | 'none';
  /** `discover` adds the servers of editors that have the working directory open, as the weakest given ones. */
  readonly ide?: 'discover' | 'none';
  /** The files of the machine's owner; those of the platform if absent. */
  readonly enterprise?: readonly ConfigFile[];
}

export interface GatheredSources {
  /** Strongest first, with the claims that count. */
  readonly sources: readonly Source[];
  readonly plugins: readonly PluginSource[];
  /** The folders that may contain plugins. */
  readonly pluginFolders: readonly string[];
  /** The claims of the program and of editors. */
  readonly given: readonly Claim[];
  /** Claims of the program or of named files that the machine's owner excludes. */
  readonly refused: readonly Claim[];
  readonly root: string;
  /** The source of Claude Code, unless it is turned off. It is also among `sources`. */
  readonly claudeCode: ClaudeCodeSource | undefined;
  /** The folders in which editors announce their servers, if those count. */
  readonly ideFolders: readonly string[];
}

/** Whether only the servers count that are named for this run. */
export function isStrict({ mcpConfigCounts }: Pick<GatherOptions, 'mcpConfigCounts'>): boolean {
  return mcpConfigCounts === 'only';
}

/** All sources, including the servers of editors, whose names give way to those of configured servers. */
export async function gatherSources(options: GatherOptions): Promise<GatheredSources> {
  const { environment } = options;
  const { isExclusive, ...gathered } = await gatherWritten(options);
  const written = { ...gathered, sources: withMadeNames(gathered.sources, gathered.given) };
  const settings = written.sources.flatMap(({ discover }) => discover);
  const usesEditors =
    options.ide === 'discover' &&
    !isExclusive &&
    !isStrict(options) &&
    isDiscovered('editors', settings, environment);
  if (!usesEditors) return { ...written, ideFolders: [] };
  const claims = [...written.given, ...written.sources.flatMap((source) => source.claims)];
  return {
    ...written,
    given: [...written.given, ...(await editorClaims(environment, claims.filter(isDefinition)))],
    ideFolders: [ideFolder(environment)],
  };
}

const SWITCHES = { claudeCode: 'PLUGBOARD_CLAUDE_CODE', editors: 'PLUGBOARD_EDITORS' } as const;

/** Any file, or a variable with the value `off`, can turn a program's servers off. */
function isDiscovered(
  program: keyof typeof SWITCHES,
  settings: readonly ObjectSetting<'discover'>[],
  { env }: Pick<HostEnvironment, 'env'>,
): boolean {
  return env[SWITCHES[program]] !== 'off' && settings.every((each) => each[program] !== false);
}

interface WrittenSources extends Omit<GatheredSources, 'ideFolders'> {
  /** Whether the machine's owner decides alone. */
  readonly isExclusive: boolean;
}

async function gatherWritten(options: GatherOptions): Promise<WrittenSources> {
  const { environment, mcpConfig = [] } = options;
  const walk = projectFolders(environment.cwd);
  const owners = options.enterprise ?? enterpriseFiles(environment);
  // All at once, since waiting for the disk takes the most time.
  const [enterprise, named, files, folders, root] = await Promise.all([
    readSources(owners, 1),
    readMcpConfig(mcpConfig, environment, owners.length + 1),
    locateFiles(environment, walk),
    pluginFolders(environment, walk),
    projectRoot(environment.cwd, walk),
  ]);
  // An unreadable or broken file counts as present: otherwise breaking it would lift its rule.
  const isExclusive = enterprise.some(
    ({ file, state }) => file.format === 'managed' && state !== 'missing',
  );
  const isAlone = isExclusive || options.files === 'none';
  const hasOthers = !isAlone && !isStrict(options);
  // Such a file contains only servers.
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

/** A source without its claims and diagnostics about other servers. */
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

/** Whether the server runs inside the program, which the user chose to run. */
function isInProcess({ fields }: Claim): boolean {
  return fields?.type === 'sdk';
}
