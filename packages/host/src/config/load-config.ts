// Everything that is configured for one working directory: files and what the program gives, checked,
// ranked and with variables filled in. Reads files and nothing else; starts nothing, throws nothing.

import type { HostEnvironment } from '../platform/index.ts';
import { type Claim, claim } from './claim.ts';
import { combine, type Contest } from './combine.ts';
import { type Diagnostic, givenPosition } from './diagnostic.ts';
import type { Lookup } from './expand.ts';
import type { Origin, Scope } from './scope.ts';
import { type ConfigFile, enterpriseFiles, locateFiles } from './locate-files.ts';
import { readConfigFile, type ReadFile } from './read-file.ts';
import { type Resolution, resolveEntry } from './resolve-entry.ts';
import type { ServerEntry } from './server-entry.ts';

export interface LoadOptions {
  readonly environment: HostEnvironment;
  /** Entries by name, as they would stand in a file: the `dynamic` scope. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Who gave them, for messages. */
  readonly givenBy?: string;
  /** `none` leaves out local, project and user files. The machine owner's file counts all the same. */
  readonly files?: 'discover' | 'none';
  /** Where the machine's owner puts files that exclude all others; the platform's place if absent. */
  readonly enterprise?: readonly ConfigFile[];
}

export interface Configuration {
  /** In the order of names. */
  readonly servers: readonly ConfiguredServer[];
  /** Names whose strongest entry is unusable; `diagnostics` says why. In the order of names. */
  readonly rejected: readonly RejectedServer[];
  /** About files and entries, in the order of the files. Unset variables are with their server. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was looked for, strongest first. */
  readonly files: readonly FileReport[];
}

export interface ConfiguredServer {
  readonly name: string;
  readonly scope: Scope;
  readonly origin: Origin;
  /** Variables as written, so fit to be shown as far as no secret was written out. */
  readonly written: ServerEntry;
  /** Ready to be used, or what keeps it from that. */
  readonly resolved: Resolution;
  /** Weaker entries of the same name, strongest first. */
  readonly shadowed: readonly Shadowed[];
}

export interface RejectedServer {
  readonly name: string;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly diagnostics: readonly Diagnostic[];
  readonly shadowed: readonly Shadowed[];
}

export interface Shadowed {
  readonly scope: Scope;
  readonly origin: Origin;
}

export interface FileReport {
  readonly path: string;
  readonly scope: Scope;
  readonly state: ReadFile['state'];
}

export async function loadConfig(options: LoadOptions): Promise<Configuration> {
  const { environment } = options;
  const enterprise = await readAll(options.enterprise ?? enterpriseFiles(environment));
  // Present but unreadable or broken is present: else breaking the file would lift its rule.
  const isExclusive = enterprise.some(({ state }) => state !== 'missing');
  const isAlone = isExclusive || options.files === 'none';
  const others = isAlone ? [] : await readAll(await locateFiles(environment));
  const sources = [...enterprise, ...others];
  const given = givenClaims(options);
  const refused = isExclusive ? given.filter((claimed) => !isInProcess(claimed)) : [];
  const admitted = given.filter((claimed) => !refused.includes(claimed));
  const contests = combine([...admitted, ...sources.flatMap(({ claims }) => claims)]);
  return {
    ...outcome(contests, lookupIn(environment)),
    diagnostics: [
      ...admitted.flatMap(({ diagnostics }) => diagnostics),
      ...refused.map(excluded),
      ...sources.flatMap(({ diagnostics }) => diagnostics),
    ],
    files: sources.map(({ file: { path, scope }, state }) => ({ path, scope, state })),
  };
}

interface Source {
  readonly file: ConfigFile;
  readonly state: ReadFile['state'];
  readonly claims: readonly Claim[];
  readonly diagnostics: readonly Diagnostic[];
}

function readAll(files: readonly ConfigFile[]): Promise<readonly Source[]> {
  return Promise.all(files.map(async (file) => sourceOf(file, await readConfigFile(file))));
}

function sourceOf(file: ConfigFile, content: ReadFile): Source {
  if (content.state === 'missing') return { file, state: 'missing', claims: [], diagnostics: [] };
  const { scope, folder } = file;
  const claims = content.servers.map(({ keyAt, valueAt, ...written }) =>
    claim({
      ...written,
      scope,
      folder,
      origin: { kind: 'file', ...keyAt([]) },
      place: { server: written.name, keyAt, valueAt },
    }),
  );
  const diagnostics = [...content.diagnostics, ...claims.flatMap((claimed) => claimed.diagnostics)];
  diagnostics.sort((a, b) => a.line - b.line || a.column - b.column);
  return { file, state: content.state, claims, diagnostics };
}

function givenClaims(options: LoadOptions): readonly Claim[] {
  const { environment, given = {}, givenBy = 'program' } = options;
  const at = () => givenPosition(givenBy);
  return Object.entries(given).map(([name, value]) =>
    claim({
      name,
      value,
      scope: 'dynamic',
      folder: environment.cwd,
      origin: { kind: 'given', by: givenBy },
      place: { server: name, keyAt: at, valueAt: at },
    }),
  );
}

/** A server that lives in the program is part of the program, which its owner chose to run. */
function isInProcess({ entry }: Claim): boolean {
  return entry?.kind === 'sdk';
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

function outcome(
  contests: readonly Contest[],
  lookup: Lookup,
): Pick<Configuration, 'servers' | 'rejected'> {
  const servers: ConfiguredServer[] = [];
  const rejected: RejectedServer[] = [];
  for (const { winner, losers } of contests) {
    const { name, scope, origin, entry, place, folder, diagnostics } = winner;
    const shadowed = losers.map((loser) => ({ scope: loser.scope, origin: loser.origin }));
    if (entry === undefined) {
      rejected.push({ name, scope, origin, diagnostics, shadowed });
    } else {
      const resolved = resolveEntry({ entry, place, folder, lookup });
      servers.push({ name, scope, origin, written: entry, resolved, shadowed });
    }
  }
  return { servers, rejected };
}

function lookupIn({ env, platform }: HostEnvironment): Lookup {
  // Names of variables ignore case on Windows; the snapshot of the environment does not.
  if (platform === 'win32') {
    const folded = new Map(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
    return (variable) => folded.get(variable.toUpperCase());
  }
  return (variable) => (Object.hasOwn(env, variable) ? env[variable] : undefined);
}
