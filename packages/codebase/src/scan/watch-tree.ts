// Watches the tree: reports which files changed or were removed, without those that ignore files leave out, and when
// only a new listing can tell. Also, from a snapshot, what changed while no watcher ran. The watcher itself gathers
// bursts, and reports after 50 ms of quiet.

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
      /** Gone; including the path of a folder, then all below it is gone. */
      readonly removed: readonly string[];
    }
  /** An ignore file changed, or there is too much to test: list everything again. Where events were lost, watch again as well. */
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
  /** What decides about files from outside the tree has changed: ignore files are read again. */
  forgetRules(): void;
  /** Notes how things are now, for `catchUp` of a later process. */
  snapshot(file: string): Promise<void>;
}

/** Never of interest, and busy: not even watched. */
const NEVER_WATCHED = ['.git/objects', '.git/logs', '.git/lfs'];
/** Large, and left out by nearly every project; watched where it is not. */
const DEPENDENCIES = 'node_modules';
/** In one new folder; where there are more, a new listing is quicker. */
const MOST_NEW_FILES = 10_000;
/** Patterns that are tested for one burst of changes: some tenths of a second. Ripgrep lists quicker than more. */
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

/** What changed since a snapshot was written; a relisting where there is none that can be read. */
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
  const isLeftOut = await rules.ignores(DEPENDENCIES, 'folder');
  return isLeftOut ? [...NEVER_WATCHED, DEPENDENCIES, `**/${DEPENDENCIES}`] : NEVER_WATCHED;
}

class ChangeSorter {
  readonly #root: string;
  readonly #tell: (change: TreeChange) => void;
  #rules: Promise<IgnoreRules> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(root: string, tell: (change: TreeChange) => void) {
    this.#root = root;
    this.#tell = tell;
  }

  take(changes: readonly FolderChange[]): void {
    // One after another, so that they are told in the order in which they happened.
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
    this.#tell(change);
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
    // What is gone is told even if it was ignored: it costs nothing, and rules may have changed since. A file whose place a folder
    // or a link took comes as one event.
    const isReplaced = kind === 'other' || (kind === 'folder' && type === 'update');
    if (type === 'delete' || isReplaced) removed.push(path);
    if (type === 'delete' || kind === 'other' || kind === undefined) continue;
    if (!(await addFiles({ root, path, rules, mostWork }, changed))) {
      const isMuch = rules.work >= mostWork;
      return { kind: 'relist', reason: isMuch ? 'many-patterns' : 'many-files' };
    }
  }
  return { kind: 'files', changed: [...changed].toSorted(), removed: removed.toSorted() };
}

/** A new folder stands for all the files in it: one that was moved here comes as a single event. */
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

/** Of what a folder holds itself, links left out; none if it is not a folder. */
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
