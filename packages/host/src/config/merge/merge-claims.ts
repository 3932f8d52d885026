// Merges the claims of all sources to one server, slot by slot, and records which statements count and which
// are lost.
//
// Claims form a set: uniting sets in any order, or twice, gives the same set, and the result depends on the
// set alone. An entry that states what to start or to reach *defines* the server; any other entry *patches*
// it. Patches override weaker entries. A definition inherits launch fields from weaker entries only if one
// person wrote both: otherwise a repository could name a program that then starts with the credentials of a
// user's server of the same name.

import { groupBy } from '@plugboard/base';
import {
  type EntryFields,
  isLaunch,
  isTarget,
  type MergeRule,
  mergeRuleOf,
} from '../fields/index.ts';
import { type FieldPath, precedence, scopeRow } from '../text/index.ts';
import { type Claim, isDefinition } from './claim.ts';
import { combineValues } from './combine-values.ts';
import { type Slot, slotKey, slotsOf } from './field-slots.ts';

export interface Statement extends Slot {
  readonly claim: Claim;
}

export interface LostStatement extends Statement {
  /**
   * `weaker`: a stronger statement overrides it. `replaced`: a stronger entry defines the server again.
   * `withheld`: the value would go to a destination that another author chose.
   */
  readonly why: 'weaker' | 'replaced' | 'withheld';
}

export interface MergedField {
  readonly path: FieldPath;
  readonly value: unknown;
  readonly rule: MergeRule;
  /** The statements that count, strongest first. */
  readonly from: readonly Statement[];
  readonly lost: readonly LostStatement[];
}

export interface MergedServer {
  readonly name: string;
  /** Strongest first. */
  readonly claims: readonly Claim[];
  /** Absent if every claim is a patch or broken. */
  readonly definition: Claim | undefined;
  /** An unusable entry without a stronger definition: it is unknown what it was meant to change. */
  readonly broken: Claim | undefined;
  readonly fields: readonly MergedField[];
  /** Statements of slots that have no value. */
  readonly lost: readonly LostStatement[];
}

/** Unites two sets of claims to one name, strongest first. */
export function unite(a: readonly Claim[], b: readonly Claim[]): readonly Claim[] {
  const bySource = new Map([...a, ...b].map((claim) => [claimSourceKey(claim), claim]));
  return [...bySource.values()].toSorted(byStrength);
}

/** `claims`: at least one, all to the same name, strongest first. */
export function mergeClaims(name: string, claims: readonly Claim[]): MergedServer {
  const definition = claims.find(isDefinition);
  const broken = claims.find(({ fields }) => fields === undefined);
  const statements = claims.flatMap((claim): readonly Statement[] =>
    slotsOf(claim.fields ?? {}).map(({ path, value }) => ({ path, value, claim })),
  );
  const fields: MergedField[] = [];
  const lost: LostStatement[] = [];
  groupBy(statements, ({ path }) => slotKey(path)).forEach((stated) => {
    const counted = stated.filter((statement) => counts(statement, definition));
    const replaced = replacedAmong(stated, counted);
    const first = counted[0];
    if (first === undefined) lost.push(...replaced);
    else fields.push(fieldOf(first, counted, replaced));
  });
  return {
    name,
    claims,
    definition,
    broken: broken !== undefined && !isBelow(broken, definition) ? broken : undefined,
    fields,
    lost,
  };
}

/** Removes slots from a server: all their statements, from every source, are lost. */
export function withhold(merged: MergedServer, paths: readonly FieldPath[]): MergedServer {
  const keys = new Set(paths.map(slotKey));
  const isOut = ({ path }: MergedField): boolean => keys.has(slotKey(path));
  const withheld = merged.fields
    .filter(isOut)
    .flatMap(({ from, lost }): readonly LostStatement[] => [
      ...from.map((statement) => ({ ...statement, why: 'withheld' as const })),
      ...lost,
    ]);
  return {
    ...merged,
    fields: merged.fields.filter((field) => !isOut(field)),
    lost: [...merged.lost, ...withheld],
  };
}

function replacedAmong(
  stated: readonly Statement[],
  counted: readonly Statement[],
): readonly LostStatement[] {
  if (counted.length === stated.length) return NONE;
  return stated
    .filter((statement) => !counted.includes(statement))
    .map((statement) => ({ ...statement, why: 'replaced' }));
}

/** Shared, since most slots are stated once. */
const NONE: readonly LostStatement[] = [];

/** Groups claims by name, in the order of names; the claims to one name are sorted strongest first. */
export function claimsByName(
  claims: readonly Claim[],
): readonly (readonly [name: string, claims: readonly Claim[]])[] {
  return [...groupBy(claims, ({ name }) => name)]
    .map(([name, same]) => [name, same.length === 1 ? same : unite(same, [])] as const)
    .toSorted((a, b) => compareText(a[0], b[0]));
}

function counts({ path, claim }: Statement, definition: Claim | undefined): boolean {
  if (definition === undefined || !isLaunch(path) || !isBelow(claim, definition)) return true;
  // Parts of two commands or URLs are never mixed.
  if (isTarget(path) || !isSameKind(claim.fields, definition.fields)) return false;
  // Entries of different authors may share a name by accident or by design.
  return scopeRow(claim.scope).isPersonal && scopeRow(definition.scope).isPersonal;
}

function isBelow(claim: Claim, other: Claim | undefined): boolean {
  return other !== undefined && byStrength(claim, other) > 0;
}

function isSameKind(weaker: EntryFields = {}, stronger: EntryFields = {}): boolean {
  const isOther = (key: 'command' | 'url'): boolean =>
    weaker[key] !== undefined && stronger[key] === undefined;
  return !isOther('command') && !isOther('url');
}

/** `first` is the strongest of the statements. */
function fieldOf(
  first: Statement,
  statements: readonly Statement[],
  replaced: readonly LostStatement[],
): MergedField {
  const { path, value } = first;
  const rule = mergeRuleOf(path);
  if (rule !== 'strongest') {
    const values = statements.map((stated) => stated.value);
    return { path, value: combineValues(rule, values), rule, from: statements, lost: replaced };
  }
  if (statements.length === 1) return { path, value, rule, from: statements, lost: replaced };
  const weaker = statements.slice(1).map((lost) => ({ ...lost, why: 'weaker' as const }));
  return { path, value, rule, from: [first], lost: [...weaker, ...replaced] };
}

function claimSourceKey({ scope, position, name }: Claim): string {
  return `${scope}\0${position}\0${name}`;
}

function byStrength(a: Claim, b: Claim): number {
  return precedence(b.scope) - precedence(a.scope) || a.position - b.position;
}

/** Compares code units, so that the order does not depend on the language of the machine. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
