// Selects the most important symbols of a tree: those that the most other files use. A name that several symbols share
// counts less for each of them, and uses in tests count little.

import { kindsWhere, OF_MODULE, type SymbolDefinition } from '../chunk/index.ts';
import { unpackDefinitions } from './file-symbols.ts';
import type { NameRecord, NameRecords } from './name-bucket.ts';
import type { KnownNames } from './joint-names.ts';
import { ALL_BUCKETS, type KnownSymbolFile } from './symbol-database.ts';

export interface MappedSymbol extends SymbolDefinition {
  readonly file: string;
  /** The number of other files that use its name. */
  readonly usedBy: number;
  readonly score: number;
}

export interface RepositoryMap {
  /** The most used first. */
  readonly symbols: readonly MappedSymbol[];
  readonly files: number;
}

/** The weight of a use in a test. */
const USE_IN_TEST = 0.2;
/** The weight of a declaration in a test: tests declare little that other files use. */
const DECLARED_IN_TEST = 0.1;
/** A name that more files declare is too common to count. */
const MOST_DECLARATIONS = 12;
const LEAST_NAME = 3;
const HEADS = kindsWhere(({ isHead }) => isHead === true);
const DATA = kindsWhere(({ role }) => role === 'data');
const LEFT_OUT = new Set([...kindsWhere(({ role }) => role === 'aside'), 'namespace']);

interface UsedName {
  readonly name: string;
  readonly score: number;
  readonly usedBy: number;
  readonly files: readonly number[];
}

/** The best `limit` symbols of the files under `path`; the root is empty. */
export function repositoryMap(database: KnownNames, path: string, limit: number): RepositoryMap {
  const all = database.filesUnder('');
  const shown = path === '' ? all : database.filesUnder(path);
  let best: UsedName[] = [];
  for (const bucket of ALL_BUCKETS) {
    for (const [name, records] of withoutModules(database.namesLike(bucket))) {
      const used = usedName(name, records, { all, shown });
      if (used !== undefined) best.push(used);
    }
    if (best.length > 8 * limit) best = bestOf(best, 2 * limit);
  }
  const symbols = bestOf(best, 2 * limit).flatMap((used) => symbolsOf(database, used, shown));
  return {
    symbols: symbols.toSorted(byScore).slice(0, limit),
    files: shown.size,
  };
}

/** Merges names imported from other packages with the plain names: few of them are names of symbols of this tree. */
function withoutModules(names: NameRecords): NameRecords {
  const plain: NameRecords = new Map();
  for (const [name, records] of names) {
    const [base = ''] = name.split(OF_MODULE, 1);
    const known = plain.get(base);
    if (known === undefined) plain.set(base, [...records]);
    else known.push(...records);
  }
  return plain;
}

type Files = ReadonlyMap<number, KnownSymbolFile>;

function usedName(
  name: string,
  records: readonly NameRecord[],
  { all, shown }: { readonly all: Files; readonly shown: Files },
): UsedName | undefined {
  if (name.length < LEAST_NAME) return undefined;
  const alive = records.filter(({ file }) => all.has(file));
  const declaring = alive.filter(({ isDeclared }) => isDeclared);
  const files = declaring.filter(({ file }) => shown.has(file)).map(({ file }) => file);
  if (files.length === 0 || declaring.length > MOST_DECLARATIONS) return undefined;
  const own = new Set(declaring.map(({ file }) => file));
  const using = alive.filter(({ file, uses }) => uses.length > 0 && !own.has(file));
  const weights = using.map(({ file, uses }) => {
    const share = all.get(file)?.isTest === true ? USE_IN_TEST : 1;
    return share * Math.sqrt(uses.length);
  });
  // Sorted, since the sum of fractions depends on their order in its last digit.
  const weight = weights.toSorted((a, b) => a - b).reduce((sum, one) => sum + one, 0);
  return { name, files, usedBy: using.length, score: weight / declaring.length };
}

function bestOf(names: UsedName[], limit: number): UsedName[] {
  return names.toSorted((a, b) => b.score - a.score || compare(a.name, b.name)).slice(0, limit);
}

/** Equal scores are ordered by place, so that the order in which files were read does not matter. */
function byScore(a: MappedSymbol, b: MappedSymbol): number {
  return (
    b.score - a.score ||
    compare(a.file, b.file) ||
    a.line - b.line ||
    a.endLine - b.endLine ||
    compare(a.path, b.path)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function symbolsOf(
  database: KnownNames,
  { name, files, usedBy, score }: UsedName,
  shown: Files,
): readonly MappedSymbol[] {
  return files.flatMap((id) => {
    const file = shown.get(id);
    const packed = database.definitions(id);
    if (file === undefined || packed === undefined) return [];
    return unpackDefinitions(packed)
      .filter((definition) => definition.name === name && !LEFT_OUT.has(definition.kind))
      .map((definition) => ({
        ...definition,
        file: file.path,
        usedBy,
        score: score * weightOf(definition) * (file.isTest ? DECLARED_IN_TEST : 1),
      }));
  });
}

function weightOf({ kind, path }: SymbolDefinition): number {
  const depth = path.split('.').length - 1;
  const base = HEADS.has(kind) ? 1.2 : DATA.has(kind) ? 0.5 : 1;
  return base / (1 + depth / 2);
}
