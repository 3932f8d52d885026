// One server as all sources together configure it: usable, or rejected with the reasons. Also reports which
// source stated which field.

import type { MergeRule, ServerEntry } from '../fields/index.ts';
import {
  type Lookup,
  type Resolution,
  resolveEntry,
  type StartFolders,
  withEnvFile,
} from '../resolve/index.ts';
import {
  type Author,
  type AuthorOf,
  type Diagnostic,
  type EntryPlace,
  type FieldPath,
  locate,
  type Origin,
  type Scope,
} from '../text/index.ts';
import type { Claim } from './claim.ts';
import { composeEntry } from './compose-entry.ts';
import { fieldsFromSlots, slotKey } from './field-slots.ts';
import type { LostStatement, MergedField, MergedServer, Statement } from './merge-claims.ts';

export interface ConfiguredServer extends ServerSource {
  /** With variables as written, so that it may be shown unless a secret was written in clear. */
  readonly written: ServerEntry;
  /** The entry ready for use, or the reasons why it is not. */
  readonly resolved: Resolution;
}

export interface RejectedServer extends ServerSource {
  readonly diagnostics: readonly Diagnostic[];
}

interface ServerSource {
  readonly name: string;
  /** The scope of the entry that defines the server; patches may come from other scopes. */
  readonly scope: Scope;
  readonly origin: Origin;
  readonly author: Author;
  /** The name in the file, if `name` was derived from it. */
  readonly writtenAs?: string;
  /** Every source that has an entry of this name, strongest first. */
  readonly sources: readonly SourceReport[];
}

export interface SourceReport {
  readonly scope: Scope;
  readonly origin: Origin;
  readonly author: Author;
  /** `hidden`: none of its fields count. `broken`: the entry is unusable. */
  readonly part: 'defines' | 'patches' | 'hidden' | 'broken';
  /** The name in the file, if the name of the server was derived from it. */
  readonly writtenAs?: string;
}

export interface FieldReport {
  readonly path: FieldPath;
  /** As written; may be a secret. */
  readonly value: unknown;
  readonly rule: MergeRule;
  /** The statements that count, strongest first; may be empty. */
  readonly from: readonly FieldSource[];
  readonly lost: readonly (FieldSource & Pick<LostStatement, 'why'>)[];
}

export interface FieldSource {
  readonly scope: Scope;
  readonly origin: Origin;
  readonly author: Author;
  readonly value: unknown;
  readonly folder: string;
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
      /** Problems that only the merged entry has. */
      readonly diagnostics: readonly Diagnostic[];
    };

export interface ResolutionContext {
  /** The variables of the environment. */
  readonly lookup: Lookup;
  readonly folders: StartFolders;
  readonly authorOf: AuthorOf;
}

/** Never throws. */
export async function configure(
  merged: MergedServer,
  { lookup, folders, authorOf }: ResolutionContext,
): Promise<MergeOutcome> {
  const main = merged.broken ?? merged.definition ?? merged.claims[0];
  if (main === undefined) throw new RangeError('a server without claims');
  const sourced: ServerSource = {
    name: merged.name,
    scope: main.scope,
    origin: main.origin,
    author: authorOf(main),
    ...(main.writtenAs === undefined ? {} : { writtenAs: main.writtenAs }),
    sources: merged.claims.map((claim) => sourceReport(claim, merged, authorOf)),
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

/** Locates each path in the entry whose statement counts. */
function placeIn(merged: MergedServer, main: Claim): EntryPlace {
  const at = (path: FieldPath): EntryPlace => (fieldAt(merged, path)?.from[0]?.claim ?? main).place;
  return {
    server: merged.name,
    keyAt: (path) => at(path).keyAt(path),
    valueAt: (path) => at(path).valueAt(path),
  };
}

/** The field at a path; for an object as a whole, its first field. */
function fieldAt({ fields }: MergedServer, path: FieldPath): MergedField | undefined {
  const [key] = path;
  if (key === undefined) return undefined;
  const exact = fields.find((field) => slotKey(field.path) === slotKey(path.slice(0, 2)));
  return exact ?? fields.find((field) => field.path[0] === key);
}

function sourceReport(claim: Claim, merged: MergedServer, authorOf: AuthorOf): SourceReport {
  const { scope, origin, writtenAs } = claim;
  return {
    scope,
    origin,
    author: authorOf(claim),
    part: partOf(claim, merged),
    ...(writtenAs === undefined ? {} : { writtenAs }),
  };
}

function partOf(claim: Claim, { definition, fields }: MergedServer): SourceReport['part'] {
  if (claim.fields === undefined) return 'broken';
  if (claim === definition) return 'defines';
  const counts = fields.some(({ from }) => from.some((stated) => stated.claim === claim));
  return counts ? 'patches' : 'hidden';
}

/** Every field with the sources that stated it. Called only on demand, since locating all fields takes time. */
export function explainFields(
  { fields, lost }: MergedServer,
  authorOf: AuthorOf,
): readonly FieldReport[] {
  const sourceOf = (statement: Statement): FieldSource =>
    fieldSource(statement, authorOf(statement.claim));
  const lostSource = (statement: LostStatement) =>
    Object.assign(sourceOf(statement), { why: statement.why });
  const counted = fields.map((field) => ({
    path: field.path,
    value: field.value,
    rule: field.rule,
    from: field.from.map(sourceOf),
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

function fieldSource({ claim, path, value }: Statement, author: Author): FieldSource {
  const { scope, origin, place, folder } = claim;
  return {
    scope,
    // Located on access, since most callers only need the scope.
    get origin(): Origin {
      return origin.kind === 'given' ? origin : { kind: 'file', ...place.keyAt(path) };
    },
    author,
    value,
    folder,
  };
}
