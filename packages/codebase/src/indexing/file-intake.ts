// Brings files into a store: reads them in groups, one group ahead of the one being written, edited files first. Each file
// is examined when it is read, so it does not matter why it was queued.

import { messageOf } from '@plugboard/base';
import type { ListedFile } from '../scan/index.ts';
import type { FileFacts, Store, StoreChange } from '../store/index.ts';
import type { FileReader } from './file-reader.ts';
import type { SymbolFile, SymbolStore } from '../symbols/index.ts';
import type { ReadFile } from './read-for-index.ts';

export interface IntakeParts {
  readonly reader: Pick<FileReader, 'read'>;
  readonly store: Store;
  /** Stores declarations and uses of names; `undefined` if they cannot be stored. */
  readonly symbols: SymbolStore | undefined;
  readonly signal: AbortSignal;
  /** Which signatures are reported: those of all files, or only of files that are read again. */
  readonly signatures: 'of-all' | 'of-reread';
  /** Receives signatures once their files are in the index. */
  readonly onSignatures: (signatures: ReadonlyMap<string, string>) => Promise<void>;
  readonly onProgress: () => void;
  readonly onProblem: (message: string) => void;
}

/** Files that are read together, and written in one transaction. Smaller groups would have to be merged more often. */
const GROUP_FILES = 192;
/** The files of a group stay in memory until they are written, so a group of large files is smaller. */
const GROUP_BYTES = 2_000_000;
/** The first group is small and each one is twice as large as the last, so that searches soon find something. */
const FIRST_GROUP_FILES = 12;
/** How often an unreadable file is tried. */
const MOST_TRIES = 3;

interface ReadGroup {
  readonly paths: readonly string[];
  readonly read: Promise<readonly ReadFile[]>;
}

export class FileIntake {
  readonly #parts: IntakeParts;
  readonly #known: Map<string, FileFacts>;
  readonly #edited = new Set<string>();
  readonly #waiting = new Set<string>();
  /** The sizes of waiting files that a listing reported. */
  readonly #sizes = new Map<string, number>();
  /** Files that are read or being read but not written, and how many times each. */
  readonly #underway = new Map<string, number>();
  /** Files to take even if they did not change. */
  readonly #again = new Set<string>();
  /** How often each file could not be read. */
  readonly #failures = new Map<string, number>();
  /** Files that are no longer part of the tree, even if they are on the disk. */
  readonly #dropped = new Set<string>();
  /** Files reported as changed since the last listing began, which may have missed them. */
  readonly #sinceListing = new Set<string>();
  /** The number of files in the last listing. */
  #listed: number | undefined;
  #groupFiles = FIRST_GROUP_FILES;
  #done = 0;
  #total = 0;
  #running: Promise<void> | undefined;

  private constructor(parts: IntakeParts, known: ReadonlyMap<string, FileFacts>) {
    this.#parts = parts;
    this.#known = new Map(known);
  }

  static async open(parts: IntakeParts): Promise<FileIntake> {
    const known = await parts.store.files();
    const { symbols } = parts;
    return new FileIntake(parts, symbols === undefined ? known : await withSymbols(known, symbols));
  }

  /** Counts the files to read since the intake was last idle. */
  get progress(): { readonly done: number; readonly total: number } {
    return { done: this.#done, total: this.#total };
  }

  /** The share of the tree's files that is indexed; 0 for an unknown tree until it is listed. */
  get readShare(): number {
    const left = this.#total - this.#done;
    if (this.#listed === undefined) return this.#known.size === 0 ? 0 : 1;
    return this.#listed === 0 ? 1 : Math.max(0, 1 - left / this.#listed);
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Files that could not be read after all tries. They are tried again when they change. */
  get unread(): readonly string[] {
    return [...this.#failures].flatMap(([path, times]) => (times >= MOST_TRIES ? [path] : []));
  }

  /** Takes files again although they did not change, with their signatures. */
  readAgain(paths: ReadonlySet<string>): void {
    for (const path of paths) {
      this.#again.add(path);
      this.#queue(this.#waiting, path);
    }
    this.#start();
  }

  listingBegins(): void {
    this.#sinceListing.clear();
  }

  /** Takes a listing of all files: reads new files and those with another time or size, and drops files that are gone. */
  takeListing(files: readonly ListedFile[]): void {
    this.#listed = files.length;
    const gone = new Set(this.#allPaths());
    for (const { path, size, mtimeMs } of files) {
      gone.delete(path);
      this.#dropped.delete(path);
      const known = this.#known.get(path);
      if (known?.size === size && known.mtimeMs === mtimeMs) continue;
      this.#sizes.set(path, size);
      this.#queue(this.#waiting, path);
    }
    for (const path of gone) {
      if (!this.#sinceListing.has(path)) this.#dropped.add(path);
      this.#queue(this.#waiting, path);
    }
    this.#start();
  }

  takeChange(changed: readonly string[], removed: readonly string[]): void {
    for (const path of changed) {
      this.#dropped.delete(path);
      this.#sinceListing.add(path);
      this.#failures.delete(path);
      this.#queue(this.#edited, path);
    }
    for (const path of removed) {
      if (this.#known.has(path) || this.#underway.has(path)) this.#queue(this.#edited, path);
      else this.#queueBelow(path);
    }
    this.#start();
  }

  /** Waits until there is nothing to read. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #queue(to: Set<string>, path: string): void {
    if (this.#edited.has(path) || to.has(path)) return;
    if (!this.#waiting.delete(path)) this.#total += 1;
    to.add(path);
  }

  /** The paths in the index and on the way there. */
  #allPaths(): readonly string[] {
    return [...this.#known.keys(), ...this.#underway.keys(), ...this.#edited, ...this.#waiting];
  }

  #queueBelow(folder: string): void {
    for (const paths of [this.#known.keys(), this.#underway.keys()]) {
      for (const path of paths) if (path.startsWith(`${folder}/`)) this.#queue(this.#edited, path);
    }
  }

  #start(): void {
    if (this.#running !== undefined || this.#edited.size + this.#waiting.size === 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#groupFiles = FIRST_GROUP_FILES;
      this.#done = 0;
      this.#total = 0;
      // Files may have been queued after the last group was taken.
      if (!this.#parts.signal.aborted) this.#start();
      this.#parts.onProgress();
    });
  }

  async #run(): Promise<void> {
    const { signal, onProgress } = this.#parts;
    const ahead = [this.#takeGroup(), this.#takeGroup()];
    for (;;) {
      const { paths = [], read = [] } = ahead.shift() ?? {};
      const group = await read;
      if (signal.aborted) return;
      ahead.push(this.#takeGroup());
      if (group.length > 0) await this.#write(group);
      for (const path of paths) this.#markWritten(path);
      this.#done += group.length;
      onProgress();
      if (this.#done >= this.#total) return;
    }
  }

  /** Edited files form their own groups, so that they need not wait for others. Reading never rejects. */
  #takeGroup(): ReadGroup {
    const from = this.#edited.size > 0 ? this.#edited : this.#waiting;
    const paths: string[] = [];
    let bytes = 0;
    for (const path of from) {
      if (paths.length === this.#groupFiles || bytes >= GROUP_BYTES) break;
      bytes += this.#sizes.get(path) ?? 0;
      this.#sizes.delete(path);
      from.delete(path);
      paths.push(path);
      this.#underway.set(path, (this.#underway.get(path) ?? 0) + 1);
    }
    this.#groupFiles = Math.min(GROUP_FILES, this.#groupFiles * 2);
    return { paths, read: Promise.all(paths.map((path) => this.#read(path))) };
  }

  #markWritten(path: string): void {
    const times = (this.#underway.get(path) ?? 0) - 1;
    if (times > 0) this.#underway.set(path, times);
    else this.#underway.delete(path);
  }

  async #read(path: string): Promise<ReadFile> {
    const { reader, signal, onProblem, signatures } = this.#parts;
    const isAgain = this.#again.delete(path);
    if (this.#dropped.delete(path)) return this.#gone(path);
    try {
      // If the same file is being read twice, the earlier result is written first, and the known hash is no longer valid.
      const isOnly = this.#underway.get(path) === 1;
      const knownHash = isAgain || !isOnly ? undefined : this.#known.get(path)?.hash;
      const wants = isAgain || signatures === 'of-all' ? 'signatures' : 'words';
      const read = await reader.read({ path, knownHash, wants }, signal);
      this.#failures.delete(path);
      return read;
    } catch (thrown) {
      if (signal.aborted) return { kind: 'unknown' };
      const times = (this.#failures.get(path) ?? 0) + 1;
      this.#failures.set(path, times);
      if (times >= MOST_TRIES) onProblem(`${path} could not be read: ${messageOf(thrown)}`);
      else this.#queue(this.#waiting, path);
      return { kind: 'unknown' };
    }
  }

  #gone(path: string): ReadFile {
    this.#failures.delete(path);
    return { kind: 'gone', path };
  }

  async #write(group: readonly ReadFile[]): Promise<void> {
    const { store, symbols, onProblem, onSignatures } = this.#parts;
    const change = changeOf(group, this.#known);
    if (change === undefined) return;
    try {
      await store.apply(change);
    } catch (thrown) {
      onProblem(`the index could not be changed: ${messageOf(thrown)}`);
      return;
    }
    symbols?.apply({ put: symbolsIn(group), remove: change.remove });
    for (const path of change.remove) this.#known.delete(path);
    for (const { path, size, mtimeMs, hash } of change.put) {
      this.#known.set(path, { size, mtimeMs, hash });
    }
    for (const { path, size, mtimeMs } of change.touch ?? []) {
      const known = this.#known.get(path);
      if (known !== undefined) this.#known.set(path, { ...known, size, mtimeMs });
    }
    await onSignatures(signaturesOf(group));
  }
}

function signaturesOf(group: readonly ReadFile[]): ReadonlyMap<string, string> {
  return new Map(group.flatMap((read) => (read.kind === 'put' ? [...read.signatures] : [])));
}

/** The facts of no file: any content counts as new. */
const UNREAD: FileFacts = { size: -1, mtimeMs: -1, hash: '' };

/** Files whose symbols do not match the index are read again. Symbols of removed files are dropped. */
async function withSymbols(
  known: ReadonlyMap<string, FileFacts>,
  symbols: SymbolStore,
): Promise<ReadonlyMap<string, FileFacts>> {
  const hashes = await symbols.hashes();
  const gone = [...hashes.keys()].filter((path) => !known.has(path));
  if (gone.length > 0) symbols.apply({ put: [], remove: gone });
  return new Map(
    [...known].map(([path, facts]) => [path, hashes.get(path) === facts.hash ? facts : UNREAD]),
  );
}

/** The last reading counts if a path was read twice. */
function symbolsIn(group: readonly ReadFile[]): readonly SymbolFile[] {
  const files = group.flatMap((read): readonly SymbolFile[] => {
    if (read.kind !== 'put') return [];
    const { path, hash, traits } = read.file;
    return [{ path, hash, isTest: traits.isTest, symbols: read.symbols }];
  });
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

/** `undefined` if nothing changes. */
function changeOf(
  group: readonly ReadFile[],
  known: ReadonlyMap<string, FileFacts>,
): StoreChange | undefined {
  const put = group.flatMap((read) => (read.kind === 'put' ? [read.file] : []));
  const touch = group.flatMap((read) => (read.kind === 'same' ? [read.touch] : []));
  const remove = group.flatMap((read) =>
    read.kind === 'gone' && known.has(read.path) ? [read.path] : [],
  );
  return put.length + touch.length + remove.length === 0 ? undefined : { put, remove, touch };
}
