// Watches the tree: reports which files changed or were removed, without ignored ones, and when a new listing is needed.
// Also reports, from a snapshot, what changed while no watcher ran. The watcher collects bursts, and reports them after
// 50 ms of quiet.

import { dirname, join, relative, sep } from 'node:path';
import {
  changesSince,
  ensureOwn,
  entryKindNow,
  folderEntries,
  type FolderChange,
  watchFolder,
  writeSnapshot,
} from '../platform/index.ts';
import { IgnoreRules } from './ignore-rules.ts';

export type TreeChange =
  | {
      readonly kind: 'files';
      /** New or with new content. */
      readonly changed: readonly string[];
      /** Files that are gone, or folders, if everything below is gone. */
      readonly removed: readonly string[];
    }
  /** The tree has to be listed again, and after lost events it has to be watched again as well. */
  | {
      readonly kind: 'relist';
      readonly reason:
        | 'ignore-files'
        | 'events-lost'
        | 'no-snapshot'
        | 'many-patterns'
        | 'many-files';
    };

export interface TreeWatch extends AsyncDisposable {
  /** Reads ignore files again, after a change outside the tree. */
  forgetRules(): void;
  /** Writes a snapshot of the current state, for `catchUp` in a later process. */
  snapshot(file: string): Promise<void>;
}

/** Busy folders that are never of interest, and not watched. */
const NEVER_WATCHED = ['.git/objects', '.git/logs', '.git/lfs'];
/** Large, and ignored by nearly every project; watched only if it is not ignored. */
const DEPENDENCIES = 'node_modules';
/** How many files are collected from new folders; with more, a new listing is quicker. */
const MOST_NEW_FILES = 10_000;
/** How many patterns are tested for one burst, which takes some tenths of a second; with more, ripgrep lists quicker. */
const MOST_WORK = 100_000;

export async function watchTree(
  root: { readonly path: string },
  onChange: (change: TreeChange) => void,
): Promise<TreeWatch> {
  const sorter = new ChangeSorter(root.path, onChange);
  const unwatched = await unwatchedIn(root.path);
  const subscription = await watchFolder({
    folder: root.path,
    ignore: unwatched,
    onChanges: (changes) => sorter.take(changes),
    onLost: () => onChange({ kind: 'relist', reason: 'events-lost' }),
  });
  return {
    forgetRules: () => sorter.forgetRules(),
    async snapshot(file) {
      await ensureOwn(dirname(file));
      await writeSnapshot({ folder: root.path, file, ignore: unwatched });
    },
    async [Symbol.asyncDispose]() {
      await subscription[Symbol.asyncDispose]();
      await sorter.idle();
    },
  };
}

/** What changed since a snapshot; `relist` if there is none that can be read. */
export async function catchUp(root: { readonly path: string }, file: string): Promise<TreeChange> {
  let changes: readonly FolderChange[];
  try {
    const ignore = await unwatchedIn(root.path);
    changes = await changesSince({ folder: root.path, file, ignore });
  } catch {
    return { kind: 'relist', reason: 'no-snapshot' };
  }
  return sort(root.path, changes, await IgnoreRules.read(root.path));
}

async function unwatchedIn(root: string): Promise<readonly string[]> {
  const rules = await IgnoreRules.read(root);
  const isIgnored = await rules.ignores(DEPENDENCIES, 'folder');
  return isIgnored ? [...NEVER_WATCHED, DEPENDENCIES, `**/${DEPENDENCIES}`] : NEVER_WATCHED;
}

class ChangeSorter {
  readonly #root: string;
  readonly #onChange: (change: TreeChange) => void;
  #rules: Promise<IgnoreRules> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(root: string, onChange: (change: TreeChange) => void) {
    this.#root = root;
    this.#onChange = onChange;
  }

  take(changes: readonly FolderChange[]): void {
    // One after another, so that changes are reported in order.
    this.#last = this.#last.then(() => this.#sort(changes));
  }

  forgetRules(): void {
    this.#rules = undefined;
  }

  idle(): Promise<void> {
    return this.#last;
  }

  async #sort(changes: readonly FolderChange[]): Promise<void> {
    this.#rules ??= IgnoreRules.read(this.#root);
    const change = await sort(this.#root, changes, await this.#rules);
    if (change.kind === 'relist') {
      if (change.reason !== 'many-patterns') this.#rules = undefined;
    } else if (change.changed.length === 0 && change.removed.length === 0) return;
    this.#onChange(change);
  }
}

async function sort(
  root: string,
  changes: readonly FolderChange[],
  rules: IgnoreRules,
): Promise<TreeChange> {
  const found = changes.map(({ path, type }) => ({
    path: relative(root, path).split(sep).join('/'),
    type,
  }));
  if (found.some(({ path }) => IgnoreRules.isIgnoreFile(path))) {
    return { kind: 'relist', reason: 'ignore-files' };
  }
  const changed = new Set<string>();
  const removed: string[] = [];
  const mostWork = rules.work + MOST_WORK;
  for (const { path, type } of found) {
    if (path === '' || path === '.git' || path.startsWith('.git/')) continue;
    const kind = entryKindNow(root, path);
    // Removals are reported even for ignored paths: that costs nothing, and rules may have changed. A file that is replaced by a
    // folder or a link produces a single event.
    const isReplaced = kind === 'other' || (kind === 'folder' && type === 'update');
    if (type === 'delete' || isReplaced) removed.push(path);
    if (type === 'delete' || kind === 'other' || kind === undefined) continue;
    if (!(await addFiles({ root, path, rules, mostWork }, changed))) {
      const isTooMuch = rules.work >= mostWork;
      return { kind: 'relist', reason: isTooMuch ? 'many-patterns' : 'many-files' };
    }
  }
  return { kind: 'files', changed: [...changed].toSorted(), removed: removed.toSorted() };
}

/** Adds a file, or all files in a new folder: a folder that is moved here produces a single event. */
async function addFiles(
  place: {
    readonly root: string;
    readonly path: string;
    readonly rules: IgnoreRules;
    readonly mostWork: number;
  },
  to: Set<string>,
): Promise<boolean> {
  const { root, path, rules, mostWork } = place;
  if (entryKindNow(root, path) === 'file') {
    if (!(await rules.ignores(path, 'file'))) to.add(path);
    return to.size <= MOST_NEW_FILES && rules.work < mostWork;
  }
  if (await rules.ignores(path, 'folder')) return rules.work < mostWork;
  for (const name of await namesOf(join(root, path))) {
    if (!(await addFiles({ ...place, path: `${path}/${name}` }, to))) return false;
  }
  return true;
}

/** The names of files and folders in a folder; empty if it is gone or not a folder. */
async function namesOf(folder: string): Promise<readonly string[]> {
  try {
    const { entries } = await folderEntries(folder, MOST_NEW_FILES);
    return entries
      .filter(({ kind }) => kind === 'file' || kind === 'folder')
      .map((one) => one.name);
  } catch {
    // Gone again.
    return [];
  }
}
