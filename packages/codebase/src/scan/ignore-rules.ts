// Whether one path is left out by ignore files, as ripgrep would leave it out of a listing: hidden files, and what
// .gitignore, .ignore and .rgignore say in every folder from the top of the disk down to it. For single paths, as
// a watcher tells them; whole listings come from ripgrep.

import ignore, { type Ignore } from 'ignore';
import { dirname, join, relative, sep } from 'node:path';
import { readOwn } from '../platform/index.ts';

/** The stronger one last. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];
const EXCLUDE_FILE = join('.git', 'info', 'exclude');

export class IgnoreRules {
  readonly #root: string;
  /** By absolute folder; nothing where it has no ignore file. */
  readonly #byFolder = new Map<string, Promise<readonly Ignore[]>>();
  /** From the root's own upwards. */
  readonly #above: readonly string[];

  private constructor(root: string) {
    this.#root = root;
    this.#above = foldersAbove(root);
  }

  static async read(root: string): Promise<IgnoreRules> {
    const rules = new IgnoreRules(root);
    await Promise.all(rules.#above.map((folder) => rules.#rulesOf(folder)));
    return rules;
  }

  async ignores(path: string, kind: 'file' | 'folder'): Promise<boolean> {
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count += 1) {
      const isLast = count === parts.length;
      const step = parts.slice(0, count).join('/');
      // What is below a folder that is left out cannot be taken in again.
      if (await this.#leavesOut(step, isLast ? kind : 'folder')) return true;
    }
    return false;
  }

  /** Files that change what is ignored; after a change of one only a new listing tells. */
  static isIgnoreFile(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return IGNORE_FILES.includes(name) || path === '.git/info/exclude';
  }

  async #leavesOut(path: string, kind: 'file' | 'folder'): Promise<boolean> {
    const absolute = join(this.#root, path);
    const folders = [...foldersBetween(this.#root, dirname(absolute)), ...this.#above.slice(1)];
    // Each kind of file decides by itself, the nearest folder first; the stronger kind comes first.
    for (let strength = IGNORE_FILES.length; strength >= 0; strength -= 1) {
      for (const folder of folders) {
        const rule = (await this.#rulesOf(folder))[strength];
        const below = relative(folder, absolute).split(sep).join('/');
        const verdict = rule?.test(kind === 'folder' ? `${below}/` : below);
        if (verdict?.ignored === true) return true;
        if (verdict?.unignored === true) return false;
      }
    }
    return path.slice(path.lastIndexOf('/') + 1).startsWith('.');
  }

  /** Of the exclude file of git, then of the ignore files, the stronger later. */
  #rulesOf(folder: string): Promise<readonly Ignore[]> {
    let known = this.#byFolder.get(folder);
    if (known === undefined) {
      const names = [EXCLUDE_FILE, ...IGNORE_FILES];
      known = Promise.all(names.map((name) => readRules(folder, name)));
      this.#byFolder.set(folder, known);
    }
    return known;
  }
}

async function readRules(folder: string, name: string): Promise<Ignore> {
  const text = await readOwn(folder, name);
  const rules = ignore({ ignorecase: false, allowRelativePaths: true });
  return text === undefined ? rules : rules.add(text);
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/** From `folder` up to `root`, both with it. */
function foldersBetween(root: string, folder: string): readonly string[] {
  return folder === root || folder.length <= root.length
    ? [root]
    : [folder, ...foldersBetween(root, dirname(folder))];
}
