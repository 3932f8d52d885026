// Presents the symbols of several trees as those of one, so that uses in one tree of symbols of another are found. The tree
// of a file is encoded in its id.

import type { NameRecord, NameRecords } from './name-bucket.ts';
import type { KnownSymbolFile, SymbolDatabase } from './symbol-database.ts';

/** The queries on a database of symbols. */
export type KnownNames = Pick<
  SymbolDatabase,
  'namesLike' | 'filesWith' | 'filesUnder' | 'definitions'
>;

export interface NamesMember {
  /** The first part of every path in the tree. */
  readonly name: string;
  readonly names: KnownNames;
}

export class JointNames implements KnownNames {
  readonly #members: readonly NamesMember[];

  constructor(members: readonly NamesMember[]) {
    this.#members = members;
  }

  namesLike(bucket: number, isWanted?: (name: string) => boolean): NameRecords {
    const all: NameRecords = new Map();
    for (const [at, { names }] of this.#members.entries()) {
      for (const [name, records] of names.namesLike(bucket, isWanted)) {
        const own = records.map((one): NameRecord => ({
          ...one,
          file: this.#jointId(at, one.file),
        }));
        all.set(name, [...(all.get(name) ?? []), ...own]);
      }
    }
    return all;
  }

  filesWith(ids: readonly number[]): ReadonlyMap<number, KnownSymbolFile> {
    const own = this.#members.map((): number[] => []);
    for (const id of ids) own[id % own.length]?.push(Math.floor(id / own.length));
    return this.#joinFiles((names, at) => names.filesWith(own[at] ?? []));
  }

  filesUnder(path: string): ReadonlyMap<number, KnownSymbolFile> {
    const [first = '', ...rest] = path.split('/');
    return this.#joinFiles((names, at) => {
      const isIncluded = path === '' || this.#members[at]?.name === first;
      return isIncluded ? names.filesUnder(rest.join('/')) : new Map<number, KnownSymbolFile>();
    });
  }

  definitions(file: number): Uint8Array | undefined {
    const count = this.#members.length;
    return this.#members[file % count]?.names.definitions(Math.floor(file / count));
  }

  #joinFiles(
    filesOf: (names: KnownNames, at: number) => ReadonlyMap<number, KnownSymbolFile>,
  ): ReadonlyMap<number, KnownSymbolFile> {
    const all = new Map<number, KnownSymbolFile>();
    for (const [at, { name, names }] of this.#members.entries()) {
      for (const file of filesOf(names, at).values()) {
        const id = this.#jointId(at, file.id);
        all.set(id, { ...file, id, path: `${name}/${file.path}` });
      }
    }
    return all;
  }

  #jointId(member: number, file: number): number {
    return file * this.#members.length + member;
  }
}
