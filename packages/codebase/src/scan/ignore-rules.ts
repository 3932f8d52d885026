// Tells whether one path is ignored, as ripgrep would leave it out of a listing: hidden files that git does not track,
// files that look like secrets, and matches of .gitignore, .ignore and .rgignore in every folder above the path. For
// single paths, as a watcher reports them; whole listings come from ripgrep. Each path is tested against every pattern, so
// the work is counted, and a pattern that could take very long is not tested: the caller decides when it is too much.

import ignore, { type Ignore } from 'ignore';
import { dirname, join, relative, sep } from 'node:path';
import { readOwn } from '../platform/index.ts';
import { looksSecret } from './secret-names.ts';
import { trackedHidden } from './tracked-hidden.ts';

/** From the weakest to the strongest. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];
const EXCLUDE_FILE = join('.git', 'info', 'exclude');
/** With more `**` in a pattern, one deep path can take minutes. */
const MOST_DEEP_STARS = 3;

/** The rules of one ignore file. */
interface FileRules {
  readonly rules: Ignore;
  readonly patterns: number;
  /** False if patterns that could take very long are left out. */
  readonly isWhole: boolean;
}

export class IgnoreRules {
  readonly #root: string;
  /** By the absolute path of the folder. */
  readonly #byFolder = new Map<string, Promise<readonly FileRules[]>>();
  /** Whether a folder is ignored, by its path relative to the root. */
  readonly #folders = new Map<string, boolean>();
  #work = 0;
  /** The root and the folders above it, from the root upwards. */
  readonly #above: readonly string[];
  /** Hidden folders and files that belong to the tree nevertheless. */
  readonly #hidden: ReadonlySet<string>;

  private constructor(root: string, hidden: ReadonlySet<string>) {
    this.#root = root;
    this.#hidden = hidden;
    this.#above = foldersAbove(root);
  }

  static async read(root: string): Promise<IgnoreRules> {
    const rules = new IgnoreRules(root, await trackedHidden(root));
    await Promise.all(rules.#above.map((folder) => rules.#rulesOf(folder)));
    return rules;
  }

  /** How many patterns were tested so far; `Infinity` if one was skipped because it could take very long. */
  get work(): number {
    return this.#work;
  }

  async ignores(path: string, kind: 'file' | 'folder'): Promise<boolean> {
    if (looksSecret(path)) return true;
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count += 1) {
      const isLast = count === parts.length;
      const step = parts.slice(0, count).join('/');
      // A rule cannot re-include anything below an ignored folder.
      if (await this.#isIgnored(step, isLast ? kind : 'folder')) return true;
    }
    return false;
  }

  /**
   * Why a file is withheld by default: it looks like a secret, or an ignore file names it. Being hidden is not a reason,
   * nor is an ignore file above the root that ignores the whole root.
   */
  async whyWithheld(path: string): Promise<'secret' | 'ignored' | undefined> {
    if (looksSecret(path)) return 'secret';
    const above = await this.#foldersAboveThatApply();
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count += 1) {
      const kind = count === parts.length ? 'file' : 'folder';
      const absolute = join(this.#root, parts.slice(0, count).join('/'));
      const folders = [...foldersBetween(this.#root, dirname(absolute)), ...above];
      if ((await this.#verdict(absolute, kind, folders)) === 'ignored') return 'ignored';
    }
    return undefined;
  }

  /** The folders above the root whose ignore files do not ignore the root itself. */
  async #foldersAboveThatApply(): Promise<readonly string[]> {
    const folders = this.#above.slice(1);
    const verdicts = await Promise.all(
      folders.map((folder) => this.#verdict(this.#root, 'folder', [folder])),
    );
    return folders.filter((_, at) => verdicts[at] !== 'ignored');
  }

  /** A change of such a file requires a new listing. */
  static isIgnoreFile(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return IGNORE_FILES.includes(name) || path === '.git/info/exclude';
  }

  async #isIgnored(step: string, kind: 'file' | 'folder'): Promise<boolean> {
    if (kind === 'file') return this.#test(step, kind);
    const known = this.#folders.get(step);
    if (known !== undefined) return known;
    const isIgnored = await this.#test(step, kind);
    this.#folders.set(step, isIgnored);
    return isIgnored;
  }

  async #test(path: string, kind: 'file' | 'folder'): Promise<boolean> {
    const absolute = join(this.#root, path);
    const folders = [...foldersBetween(this.#root, dirname(absolute)), ...this.#above.slice(1)];
    const verdict = await this.#verdict(absolute, kind, folders);
    if (verdict !== undefined) return verdict === 'ignored';
    return path.slice(path.lastIndexOf('/') + 1).startsWith('.') && !this.#hidden.has(path);
  }

  /** The verdict of the ignore files in `folders`, which are ordered from the nearest; `undefined` if none matches. */
  async #verdict(
    absolute: string,
    kind: 'file' | 'folder',
    folders: readonly string[],
  ): Promise<'ignored' | 'included' | undefined> {
    // The strongest kind of ignore file comes first; within a kind, the nearest folder.
    for (let strength = IGNORE_FILES.length; strength >= 0; strength -= 1) {
      for (const folder of folders) {
        const file = (await this.#rulesOf(folder))[strength];
        if (file === undefined || file.patterns === 0) continue;
        this.#work += file.isWhole ? file.patterns : Number.POSITIVE_INFINITY;
        const below = relative(folder, absolute).split(sep).join('/');
        const result = file.rules.test(kind === 'folder' ? `${below}/` : below);
        if (result.ignored) return 'ignored';
        if (result.unignored) return 'included';
      }
    }
    return undefined;
  }

  /** The rules of git's exclude file and of the ignore files, from the weakest to the strongest. */
  #rulesOf(folder: string): Promise<readonly FileRules[]> {
    let known = this.#byFolder.get(folder);
    if (known === undefined) {
      const names = [EXCLUDE_FILE, ...IGNORE_FILES];
      known = Promise.all(names.map((name) => readRules(folder, name)));
      this.#byFolder.set(folder, known);
    }
    return known;
  }
}

async function readRules(folder: string, name: string): Promise<FileRules> {
  const text = (await readOwn(folder, name)) ?? '';
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const tame = lines.filter((line) => (line.match(/\*\*/g) ?? []).length <= MOST_DEEP_STARS);
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(tame);
  return { rules, patterns: lines.length, isWhole: tame.length === lines.length };
}

/** All ignore files outside the tree that can apply to it, whether or not they exist. */
export function ignoreFilesAbove(root: string): readonly string[] {
  const names = [EXCLUDE_FILE, ...IGNORE_FILES];
  return foldersAbove(root)
    .slice(1)
    .flatMap((folder) => names.map((name) => join(folder, name)));
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/** From `folder` up to `root`, both included. */
function foldersBetween(root: string, folder: string): readonly string[] {
  return folder === root || folder.length <= root.length
    ? [root]
    : [folder, ...foldersBetween(root, dirname(folder))];
}
