// Watches the tree: reports which files changed or were removed, without ignored ones, and when a new listing is needed.
// The watcher collects bursts, and reports them after 50 ms of quiet.

import { join, relative, sep } from 'node:path';
import { entryKindNow, folderEntries, type FolderChange, watchFolder } from '../platform/index.ts';
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
      readonly reason: 'ignore-files' | 'events-lost' | 'many-patterns' | 'many-files';
    };

/** Busy folders that are never of interest, and not watched. */
const NEVER_WATCHED = ['.git/objects', '.git/logs', '.git/lfs'];
/** Large, and ignored by nearly every project; watched only if it is not ignored. */
const DEPENDENCIES = 'node_modules';
/** How many files are collected from new folders; with more, a new listing is quicker. */
const MOST_NEW_FILES = 10_000;
/** How many patterns are tested for one burst, which takes some tenths of a second; with more, ripgrep lists quicker. */
const MOST_WORK = 100_000;

export class TreeWatch implements AsyncDisposable {
  readonly #root: string;
  readonly #onChange: (change: TreeChange) => void;
  #subscription: AsyncDisposable | undefined;
  #rules: Promise<IgnoreRules> | undefined;
  #last: Promise<void> = Promise.resolve();

  private constructor(root: string, onChange: (change: TreeChange) => void) {
    this.#root = root;
    this.#onChange = onChange;
  }

  static async open(
    root: { readonly path: string },
    onChange: (change: TreeChange) => void,
  ): Promise<TreeWatch> {
    const opened = new TreeWatch(root.path, onChange);
    opened.#subscription = await watchFolder({
      folder: root.path,
      ignore: await unwatchedIn(root.path),
      onChanges: (changes) => opened.#take(changes),
      onLost: () => onChange({ kind: 'relist', reason: 'events-lost' }),
    });
    return opened;
  }

  /** Reads ignore files again, after a change outside the tree. */
  forgetRules(): void {
    this.#rules = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#subscription?.[Symbol.asyncDispose]();
    await this.#last;
  }

  #take(changes: readonly FolderChange[]): void {
    // One after another, so that changes are reported in order.
    this.#last = this.#last.then(() => this.#sort(changes));
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

async function unwatchedIn(root: string): Promise<readonly string[]> {
  const rules = await IgnoreRules.read(root);
  const isIgnored = await rules.ignores(DEPENDENCIES, 'folder');
  return isIgnored ? [...NEVER_WATCHED, DEPENDENCIES, `**/${DEPENDENCIES}`] : NEVER_WATCHED;
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
