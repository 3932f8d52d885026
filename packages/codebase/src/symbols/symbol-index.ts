// Finds the symbols of a tree, where they are declared and where their names are used. Names are distinguished by the names
// around them and by the kind of use, not by types: if several symbols share a name, the result states that.

import {
  kindsWhere,
  OF_MODULE,
  type SymbolDefinition,
  USE_KINDS,
  type UseKind,
} from '../chunk/index.ts';
import { unpackDefinitions } from './file-symbols.ts';
import { bucketOf, type NameRecord, type NameRecords, unpackUses } from './name-bucket.ts';
import { canBeUseOf, familyOf, fitsAround, isMember, type NamePath } from './name-path.ts';
import { isOutsideName } from './outside-names.ts';
import { type RepositoryMap, repositoryMap } from './repository-map.ts';
import { JointNames, type KnownNames } from './joint-names.ts';
import type { KnownSymbolFile } from './symbol-database.ts';

export interface FoundSymbol extends SymbolDefinition {
  readonly file: string;
  readonly isTest: boolean;
}

export interface SymbolUse {
  readonly file: string;
  readonly line: number;
  readonly kind: UseKind;
  readonly isCall: boolean;
  /** It is assigned to, so an attribute has that name. */
  readonly isAssigned: boolean;
  readonly isTest: boolean;
}

export interface SymbolsFound {
  /** The most likely first. */
  readonly definitions: readonly FoundSymbol[];
  /** Symbols with the same name that do not match the rest of the request. */
  readonly others: readonly FoundSymbol[];
  /** Names that differ only in case, if no symbol has the exact name. */
  readonly near: readonly string[];
}

export interface UsesFound {
  readonly uses: readonly SymbolUse[];
  /** Other symbols that the uses may belong to. */
  readonly rivals: readonly FoundSymbol[];
  /** Whether values of the language have members with this name, or objects have such an attribute. */
  readonly isOutsideName: boolean;
}

/** How many files that declare a name are examined. */
const MOST_FILES = 1500;
const MOST_NEAR = 10;
/** Names with other case are suggested only for a name of at least this length. */
const LEAST_OF_NEAR = 3;

export class SymbolIndex {
  readonly #database: KnownNames;

  constructor(database: KnownNames) {
    this.#database = database;
  }

  /** An index over several trees, whose names are the first part of each path. */
  static joint(
    members: readonly { readonly name: string; readonly index: SymbolIndex }[],
  ): SymbolIndex {
    return new SymbolIndex(
      new JointNames(members.map(({ name, index }) => ({ name, names: index.#database }))),
    );
  }

  /** `under`: a file, or a folder with everything in it; the root is empty. */
  find(namePath: NamePath, under = ''): SymbolsFound {
    const records = this.#recordsOf(namePath.name);
    const all = this.#declared(namePath.name, records);
    const fits = (one: FoundSymbol): boolean =>
      fitsAround(namePath, one, one.file) && isUnder(one.file, under);
    const definitions = all.filter(fits);
    return {
      definitions,
      others: all.filter((one) => !fits(one)),
      near: all.length === 0 ? this.#near(namePath.name) : [],
    };
  }

  /** The uses of the symbols' name that can refer to them, by the kind of use. */
  uses(symbols: readonly FoundSymbol[]): UsesFound {
    const [first] = symbols;
    if (first === undefined) return { uses: [], rivals: [], isOutsideName: false };
    const records = this.#recordsOf(first.name, symbols);
    const families = new Set(symbols.map(({ file }) => familyOf(file)));
    const files = this.#database.filesWith(records.map(({ file }) => file));
    const own = new Set(symbols.map(placeOf));
    const namesakes = this.#declared(first.name, records).filter(
      (one) => !own.has(placeOf(one)) && families.has(familyOf(one.file)),
    );
    const modules = [...symbols, ...namesakes].some((one) => !isMember(one)) ? 'named' : 'none';
    const found = records.flatMap((record): readonly SymbolUse[] => {
      const file = files.get(record.file);
      if (file === undefined || !families.has(familyOf(file.path))) return [];
      return usesIn(record, file).filter(({ kind }) =>
        symbols.some((symbol) => canBeUseOf(symbol, kind, { file: file.path, modules })),
      );
    });
    const rivals = namesakes.filter((one) =>
      symbols.some((symbol) => isMember(symbol) === isMember(one)),
    );
    const isAttribute = found.some(({ kind, isAssigned }) => isAssigned && kind === 'member');
    const isOutside = symbols.some(
      (one) => isMember(one) && (isAttribute || isOutsideName(one.name, familyOf(one.file))),
    );
    return { uses: found.toSorted(byPlace), rivals, isOutsideName: isOutside };
  }

  /** The innermost symbol around each line, for lines of one file. */
  around(file: string, lines: readonly number[]): ReadonlyMap<number, SymbolDefinition> {
    const definitions = this.definitionsOf(file) ?? [];
    return new Map(
      lines.flatMap((line): [number, SymbolDefinition][] => {
        const inside = definitions.filter(
          ({ startLine, endLine, kind }) =>
            startLine <= line && endLine >= line && kind !== 'section',
        );
        const innermost = inside.toSorted((a, b) => extent(a) - extent(b))[0];
        return innermost === undefined ? [] : [[line, innermost]];
      }),
    );
  }

  /** `undefined` if the file is not known. */
  definitionsOf(path: string): readonly SymbolDefinition[] | undefined {
    const [file] = this.#database.filesUnder(path).values();
    if (file?.path !== path) return undefined;
    return this.#unpacked(file.id);
  }

  /** The symbols under a folder that other files use most; the root is empty. */
  map(under: string, limit: number): RepositoryMap {
    return repositoryMap(this.#database, under, limit);
  }

  /** The records of a name, including imports from a module that the symbols can belong to. */
  #recordsOf(name: string, symbols: readonly FoundSymbol[] = []): readonly NameRecord[] {
    const prefix = name + OF_MODULE;
    const isWanted = (one: string): boolean => one === name || one.startsWith(prefix);
    const places = symbols.map(({ file }) => new Set(file.toLowerCase().split(/[/.]/)));
    return [...this.#database.namesLike(bucketOf(name), isWanted)].flatMap(([one, records]) => {
      const parts = one.slice(prefix.length).split(/[/.:]/);
      const isOurs = one === name || places.some((place) => parts.some((part) => place.has(part)));
      return isOurs ? records : [];
    });
  }

  #declared(name: string, records: readonly NameRecord[]): readonly FoundSymbol[] {
    const ids = records.filter(({ isDeclared }) => isDeclared).map(({ file }) => file);
    const files = [...this.#database.filesWith(ids).values()].slice(0, MOST_FILES);
    const found = files.flatMap(({ id, path, isTest }) =>
      this.#unpacked(id)
        .filter((definition) => definition.name === name)
        .map((definition) => ({ ...definition, file: path, isTest })),
    );
    return found.toSorted(byLikelihood);
  }

  #unpacked(file: number): readonly SymbolDefinition[] {
    const packed = this.#database.definitions(file);
    return packed === undefined ? [] : unpackDefinitions(packed);
  }

  /** Declared names that differ only in case; they are in the same bucket. */
  #near(name: string): readonly string[] {
    if (name.length < LEAST_OF_NEAR) return [];
    const plain = name.toLowerCase();
    const alike = this.#database.namesLike(bucketOf(name), (one) => one.toLowerCase() === plain);
    return this.#declaredOf(alike).toSorted(compare).slice(0, MOST_NEAR);
  }

  /** Names that an existing file declares: buckets also contain removed files. */
  #declaredOf(names: NameRecords): readonly string[] {
    return [...names].flatMap(([name, records]) => {
      const ids = records.filter(({ isDeclared }) => isDeclared).map(({ file }) => file);
      return this.#database.filesWith(ids).size === 0 ? [] : [name];
    });
  }
}

function usesIn(record: NameRecord, file: KnownSymbolFile): readonly SymbolUse[] {
  return unpackUses(record.uses).map((use) => ({
    file: file.path,
    line: Math.floor(use / 16),
    kind: USE_KINDS[use & 3] ?? 'bare',
    isCall: (use & 4) !== 0,
    isAssigned: (use & 8) !== 0,
    isTest: file.isTest,
  }));
}

function isUnder(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function extent({ startLine, endLine }: SymbolDefinition): number {
  return endLine - startLine;
}

function placeOf({ file, line, path }: FoundSymbol): string {
  return `${file}:${line}:${path}`;
}

/** Sources before tests, functions and types before data, outer symbols before inner ones. */
function byLikelihood(a: FoundSymbol, b: FoundSymbol): number {
  return (
    Number(a.isTest) - Number(b.isTest) ||
    weightOf(a) - weightOf(b) ||
    depth(a) - depth(b) ||
    compare(a.file, b.file) ||
    a.line - b.line
  );
}

const ASIDE = kindsWhere(({ role }) => role === 'aside');
const DATA = kindsWhere(({ role }) => role === 'data');

function weightOf({ kind }: FoundSymbol): number {
  return ASIDE.has(kind) ? 2 : DATA.has(kind) ? 1 : 0;
}

function depth({ path }: FoundSymbol): number {
  return path.split('.').length;
}

function byPlace(a: SymbolUse, b: SymbolUse): number {
  return Number(a.isTest) - Number(b.isTest) || compare(a.file, b.file) || a.line - b.line;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
