// One server as all sources together configure it: usable, or rejected with the reasons; and which
// source stated which of its fields.

import type { MergeRule, ServerEntry } from '../fields/index.ts';
import {
  type Lookup,
  type Resolution,
  resolveEntry,
  type StartFolders,
  withEnvFile,
} from '../resolve/index.ts';
import {
  type Diagnostic,
  type EntryPlace,
  type FieldPath,
  locate,
  type Origin,
  type Scope,
  type StatementPlace,
} from '../text/index.ts';
import type { Claim } from './claim.ts';
import { composeEntry } from './compose-entry.ts';
import { fieldsFromSlots, slotKey } from './field-slots.ts';
import type { LostStatement, MergedField, MergedServer, Statement } from './merge-claims.ts';

export interface ConfiguredServer extends ServerSource {
  /** Variables as written, so fit to be shown as far as no secret was written out. */
  readonly written: ServerEntry;
  /** Ready to be used, or what keeps it from that. */
  readonly resolved: Resolution;
}

export interface RejectedServer extends ServerSource {
  readonly diagnostics: readonly Diagnostic[];
}

interface ServerSource {
  readonly name: string;
  /** Of the entry that defines it; patches may come from others. */
  readonly scope: Scope;
  readonly origin: Origin;
  /** The name that is in its file, where the other one was made. */
  readonly writtenAs?: string;
  /** Every source that has a word on it, strongest first. */
  readonly sources: readonly SourceReport[];
}

export interface SourceReport {
  readonly scope: Scope;
  readonly origin: Origin;
  /** `hidden`: nothing that it says counts. `broken`: it cannot be understood. */
  readonly part: 'defines' | 'patches' | 'hidden' | 'broken';
  /** The name as written, if another one was derived from it. */
  readonly writtenAs?: string;
}

export interface FieldReport {
  readonly path: FieldPath;
  /** As written; may be secret. */
  readonly value: unknown;
  readonly rule: MergeRule;
  /** Strongest first; empty where no statement counts. */
  readonly from: readonly FieldSource[];
  readonly lost: readonly (FieldSource & Pick<LostStatement, 'why'>)[];
}

export interface FieldSource {
  readonly scope: Scope;
  readonly origin: Origin;
  /** Where the entry begins that it stands in. */
  readonly entry: Origin;
  readonly value: unknown;
  readonly folder: string;
}

/** Who stated it: a field is in the file of its entry, and to find out where in that file costs time. */
export function entryOf({ scope, entry }: FieldSource): StatementPlace {
  return { scope, origin: entry };
}

export type MergeOutcome =
  | {
      readonly kind: 'usable';
      readonly server: ConfiguredServer;
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      readonly kind: 'rejected';
      readonly server: RejectedServer;
      /** What only shows once all sources are put together. */
      readonly diagnostics: readonly Diagnostic[];
    };

export interface ResolutionContext {
  /** The variables of the environment. */
  readonly lookup: Lookup;
  readonly folders: StartFolders;
}

/** Never throws. */
export async function configure(
  merged: MergedServer,
  { lookup, folders }: ResolutionContext,
): Promise<MergeOutcome> {
  const main = merged.broken ?? merged.definition ?? merged.claims[0];
  if (main === undefined) throw new RangeError('a server that nobody claims');
  const sourced: ServerSource = {
    name: merged.name,
    scope: main.scope,
    origin: main.origin,
    ...(main.writtenAs === undefined ? {} : { writtenAs: main.writtenAs }),
    sources: merged.claims.map((claim) => sourceReport(claim, merged)),
  };
  if (merged.broken !== undefined) {
    const { diagnostics } = merged.broken;
    return { kind: 'rejected', server: { ...sourced, diagnostics }, diagnostics: [] };
  }
  const place = placeIn(merged, main);
  const { entry, findings } = composeEntry(fieldsFromSlots(merged.fields));
  const diagnostics = findings.map((finding) => locate(finding, place));
  if (entry === undefined) {
    const all = [...main.diagnostics, ...diagnostics];
    return { kind: 'rejected', server: { ...sourced, diagnostics: all }, diagnostics };
  }
  const folderOf = (path: FieldPath): string =>
    fieldAt(merged, path)?.from[0]?.claim.folder ?? main.folder;
  const resolved = resolveEntry({
    entry,
    place,
    folderOf,
    lookup: (variable) => variableOf(merged.claims, variable) ?? lookup(variable),
    starts: { by: (field) => fieldAt(merged, [field])?.from[0]?.claim ?? main, folders },
  });
  const complete =
    'envFile' in entry
      ? await withEnvFile(resolved, { place, folder: folderOf(['envFile']), written: entry })
      : resolved;
  return {
    kind: 'usable',
    server: { ...sourced, written: entry, resolved: complete },
    diagnostics,
  };
}

function variableOf(claims: readonly Claim[], variable: string): string | undefined {
  for (const { variables } of claims) {
    if (variables !== undefined && Object.hasOwn(variables, variable)) return variables[variable];
  }
  return undefined;
}

/** Each path is looked for where the statement that counts was written. */
function placeIn(merged: MergedServer, main: Claim): EntryPlace {
  const at = (path: FieldPath): EntryPlace => (fieldAt(merged, path)?.from[0]?.claim ?? main).place;
  return {
    server: merged.name,
    keyAt: (path) => at(path).keyAt(path),
    valueAt: (path) => at(path).valueAt(path),
  };
}

/** The field at a path; for an object as a whole, the first thing in it. */
function fieldAt({ fields }: MergedServer, path: FieldPath): MergedField | undefined {
  const [key] = path;
  if (key === undefined) return undefined;
  const exact = fields.find((field) => slotKey(field.path) === slotKey(path.slice(0, 2)));
  return exact ?? fields.find((field) => field.path[0] === key);
}

function sourceReport(claim: Claim, merged: MergedServer): SourceReport {
  const { scope, origin, writtenAs } = claim;
  return {
    scope,
    origin,
    part: partOf(claim, merged),
    ...(writtenAs === undefined ? {} : { writtenAs }),
  };
}

function partOf(claim: Claim, { definition, fields }: MergedServer): SourceReport['part'] {
  if (claim.fields === undefined) return 'broken';
  if (claim === definition) return 'defines';
  const hasSay = fields.some(({ from }) => from.some((stated) => stated.claim === claim));
  return hasSay ? 'patches' : 'hidden';
}

/** Every field and who stated it. Finding all the places costs time, so it is done when asked for. */
export function explainFields({ fields, lost }: MergedServer): readonly FieldReport[] {
  const counted = fields.map((field) => ({
    path: field.path,
    value: field.value,
    rule: field.rule,
    from: field.from.map(fieldSource),
    lost: field.lost.map(lostSource),
  }));
  const replaced = lost.map((statement) => ({
    path: statement.path,
    value: undefined,
    rule: 'strongest' as const,
    from: [],
    lost: [lostSource(statement)],
  }));
  return [...counted, ...replaced];
}

function lostSource(statement: LostStatement): FieldSource & Pick<LostStatement, 'why'> {
  return Object.assign(fieldSource(statement), { why: statement.why });
}

function fieldSource({ claim, path, value }: Statement): FieldSource {
  const { scope, origin, place, folder } = claim;
  return {
    scope,
    // Located on access: most callers only need the scope of a source.
    get origin(): Origin {
      return origin.kind === 'given' ? origin : { kind: 'file', ...place.keyAt(path) };
    },
    entry: origin,
    value,
    folder,
  };
}
