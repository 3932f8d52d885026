// Brings files into a store: reads them in groups, one group ahead of the one being written, and files that were just
// edited first. Looks at each file when its turn comes, so the reason why it was named does not matter.

import { messageOf } from '@plugboard/base';
import { type ListedFile } from '../scan/index.ts';
import type { FileFacts, Store, StoreChange } from '../store/index.ts';
import type { FileReading } from './file-reader.ts';
import type { ReadFile } from './read-for-index.ts';

export interface IntakeParts {
  readonly reader: FileReading;
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
  readonly onProblem: (message: string) => void;
}

/** Files that are read together, and written in one transaction: fewer would be merged more often later on. */
const GROUP_FILES = 192;

export class FileIntake {
  readonly #parts: IntakeParts;
  readonly #known: Map<string, FileFacts>;
  readonly #edited = new Set<string>();
  readonly #waiting = new Set<string>();
  /** No longer part of the tree, whether or not they are on the disk. */
  readonly #dropped = new Set<string>();
  /** Told of since the last listing began, which may not have seen them. */
  readonly #sinceListing = new Set<string>();
  #done = 0;
  #total = 0;
  #running: Promise<void> | undefined;

  private constructor(parts: IntakeParts, known: ReadonlyMap<string, FileFacts>) {
    this.#parts = parts;
    this.#known = new Map(known);
  }

  static async open(parts: IntakeParts): Promise<FileIntake> {
    return new FileIntake(parts, await parts.store.files());
  }

  /** Of the files that had to be read since there was last nothing to do. */
  get progress(): { readonly done: number; readonly total: number } {
    return { done: this.#done, total: this.#total };
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  listingBegins(): void {
    this.#sinceListing.clear();
  }

  /** All files that there are: reads what is new or has another time or size, and drops what is not among them. */
  takeListing(files: readonly ListedFile[]): void {
    const gone = new Set(this.#known.keys());
    for (const { path, size, mtimeMs } of files) {
      gone.delete(path);
      this.#dropped.delete(path);
      const known = this.#known.get(path);
      if (known?.size !== size || known.mtimeMs !== mtimeMs) this.#queue(this.#waiting, path);
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
      this.#queue(this.#edited, path);
    }
    for (const path of removed) {
      if (this.#known.has(path)) this.#queue(this.#edited, path);
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

  #queueBelow(folder: string): void {
    for (const path of this.#known.keys()) {
      if (path.startsWith(`${folder}/`)) this.#queue(this.#edited, path);
    }
  }

  #start(): void {
    if (this.#running !== undefined || this.#edited.size + this.#waiting.size === 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#done = 0;
      this.#total = 0;
      // What came after the last look at the queues.
      if (!this.#parts.signal.aborted) this.#start();
      this.#parts.onProgress();
    });
  }

  async #run(): Promise<void> {
    const { signal, onProgress } = this.#parts;
    const ahead = [this.#readGroup(), this.#readGroup()];
    for (;;) {
      const group = (await ahead.shift()) ?? [];
      if (signal.aborted) return;
      ahead.push(this.#readGroup());
      if (group.length > 0) await this.#write(group);
      this.#done += group.length;
      onProgress();
      if (this.#done >= this.#total) return;
    }
  }

  /** Edited files by themselves, so that they need not wait for others. Never rejects. */
  async #readGroup(): Promise<readonly ReadFile[]> {
    const from = this.#edited.size > 0 ? this.#edited : this.#waiting;
    const paths: string[] = [];
    for (const path of from) {
      if (paths.length === GROUP_FILES) break;
      from.delete(path);
      paths.push(path);
    }
    const { reader, signal, onProblem } = this.#parts;
    const read = async (path: string): Promise<ReadFile> => {
      try {
        if (this.#dropped.delete(path)) return { kind: 'gone', path };
        return await reader.read(path, this.#known.get(path)?.hash, signal);
      } catch (thrown) {
        if (!signal.aborted) onProblem(`${path} could not be read: ${messageOf(thrown)}`);
        return { kind: 'unknown' };
      }
    };
    return Promise.all(paths.map(read));
  }

  async #write(group: readonly ReadFile[]): Promise<void> {
    const { store, onProblem } = this.#parts;
    const change = changeOf(group, this.#known);
    if (change === undefined) return;
    try {
      await store.apply(change);
    } catch (thrown) {
      onProblem(`the index could not be changed: ${messageOf(thrown)}`);
      return;
    }
    for (const path of change.remove) this.#known.delete(path);
    for (const { path, size, mtimeMs, hash } of change.put) {
      this.#known.set(path, { size, mtimeMs, hash });
    }
    for (const { path, size, mtimeMs } of change.touch ?? []) {
      const known = this.#known.get(path);
      if (known !== undefined) this.#known.set(path, { ...known, size, mtimeMs });
    }
  }
}

/** Nothing where nothing is to be changed. A path that was read twice counts as it was read last. */
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
