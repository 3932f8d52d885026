// Everything that is configured for one working directory: files and what the program gives, checked,
// merged and with variables filled in. Reads files and nothing else; starts nothing, throws nothing.

import type { HostEnvironment } from '../platform/index.ts';
import { type Claim, claim } from './claim.ts';
import {
  configure,
  type ConfiguredServer,
  explainFields,
  type FieldReport,
  type RejectedServer,
} from './configured-server.ts';
import { type Diagnostic, givenPosition } from './diagnostic.ts';
import type { Lookup } from './expand.ts';
import { type ConfigFile, enterpriseFiles, locateFiles } from './locate-files.ts';
import { claimsByName, mergeClaims, type MergedServer } from './merge-claims.ts';
import type { ReadFile } from './read-file.ts';
import type { Scope } from './scope.ts';
import { byPlace, readSources, type Source } from './source.ts';

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
  /** Names for which no usable entry came out; `diagnostics` says why. In the order of names. */
  readonly rejected: readonly RejectedServer[];
  /** About files and entries, in the order of the files. Unset variables are with their server. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was looked for, strongest first. */
  readonly files: readonly FileReport[];
  /** Every field of a server and who stated it; empty for a name that nobody claims. */
  readonly explain: (name: string) => readonly FieldReport[];
}

export interface FileReport {
  readonly path: string;
  readonly scope: Scope;
  readonly state: ReadFile['state'];
}

export async function loadConfig(options: LoadOptions): Promise<Configuration> {
  const { environment } = options;
  const enterprise = await readSources(options.enterprise ?? enterpriseFiles(environment), 1);
  // Present but unreadable or broken is present: else breaking the file would lift its rule.
  const isExclusive = enterprise.some(({ state }) => state !== 'missing');
  const isAlone = isExclusive || options.files === 'none';
  const others = isAlone
    ? []
    : await readSources(await locateFiles(environment), enterprise.length + 1);
  const sources = [...enterprise, ...others];
  const given = givenClaims(options);
  const refused = isExclusive ? given.filter((claimed) => !isInProcess(claimed)) : [];
  const admitted = given.filter((claimed) => !refused.includes(claimed));
  const found = serversOf(
    [...admitted, ...sources.flatMap(({ claims }) => claims)],
    lookupIn(environment),
  );
  return {
    servers: found.servers,
    rejected: found.rejected,
    diagnostics: [
      ...admitted.flatMap(({ diagnostics }) => diagnostics),
      ...refused.map(excluded),
      ...inOrderOf(sources, found.diagnostics),
    ],
    files: sources.map(({ file: { path, scope }, state }) => ({ path, scope, state })),
    explain: found.explain,
  };
}

/** What the sources said themselves and what putting them together showed, file by file. */
function inOrderOf(
  sources: readonly Source[],
  together: readonly Diagnostic[],
): readonly Diagnostic[] {
  const paths = new Set(sources.map(({ file }) => file.path));
  const elsewhere = together.filter(({ file }) => !paths.has(file));
  const ofFile = new Map<string, Diagnostic[]>();
  for (const diagnostic of together) {
    const same = ofFile.get(diagnostic.file);
    if (same === undefined) ofFile.set(diagnostic.file, [diagnostic]);
    else same.push(diagnostic);
  }
  const inFiles = sources.flatMap(({ file, diagnostics }) => {
    const more = ofFile.get(file.path) ?? [];
    return more.length === 0 ? diagnostics : [...diagnostics, ...more].toSorted(byPlace);
  });
  return [...elsewhere, ...inFiles];
}

function givenClaims(options: LoadOptions): readonly Claim[] {
  const { environment, given = {}, givenBy = 'program' } = options;
  const at = () => givenPosition(givenBy);
  return Object.entries(given).map(([name, value]) =>
    claim({
      name,
      value,
      scope: 'dynamic',
      position: 0,
      folder: environment.cwd,
      origin: { kind: 'given', by: givenBy },
      place: { server: name, keyAt: at, valueAt: at },
    }),
  );
}

/** A server that lives in the program is part of the program, which its owner chose to run. */
function isInProcess({ fields }: Claim): boolean {
  return fields?.type === 'sdk';
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

function serversOf(
  claims: readonly Claim[],
  lookup: Lookup,
): Pick<Configuration, 'servers' | 'rejected' | 'diagnostics' | 'explain'> {
  const all = new Map<string, MergedServer>();
  const servers: ConfiguredServer[] = [];
  const rejected: RejectedServer[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, same] of claimsByName(claims)) {
    const merged = mergeClaims(name, same);
    all.set(name, merged);
    const configured = configure(merged, lookup);
    diagnostics.push(...configured.diagnostics);
    if (configured.kind === 'usable') servers.push(configured.server);
    else rejected.push(configured.server);
  }
  const explain = (name: string): readonly FieldReport[] => {
    const merged = all.get(name);
    return merged === undefined ? [] : explainFields(merged);
  };
  return { servers, rejected, diagnostics, explain };
}

function lookupIn({ env, platform }: HostEnvironment): Lookup {
  // Names of variables ignore case on Windows; the snapshot of the environment does not.
  if (platform === 'win32') {
    const folded = new Map(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
    return (variable) => folded.get(variable.toUpperCase());
  }
  return (variable) => (Object.hasOwn(env, variable) ? env[variable] : undefined);
}
