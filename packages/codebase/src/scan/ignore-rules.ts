// Whether one path is left out, as ripgrep would leave it out of a listing: hidden files that git does not track, what looks
// like a secret, and what .gitignore, .ignore and .rgignore say in every folder from the top of the disk down to it. For single paths, as
// a watcher tells them; whole listings come from ripgrep. Each path is tested against pattern after pattern, so the work
// is counted, and a pattern that could take very long is not tested at all: the caller decides when it is too much.

import ignore, { type Ignore } from 'ignore';
import { dirname, join, relative, sep } from 'node:path';
import { readOwn } from '../platform/index.ts';
import { looksSecret } from './secret-names.ts';
import { trackedHidden } from './tracked-hidden.ts';

/** The stronger one last. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];
const EXCLUDE_FILE = join('.git', 'info', 'exclude');
/** With more `**` in one pattern, one deep path can take minutes. */
const MOST_DEEP_STARS = 3;

/** What one ignore file says. */
interface FileRules {
  readonly rules: Ignore;
  readonly patterns: number;
  /** Without those that could take very long. */
  readonly isWhole: boolean;
}

export class IgnoreRules {
  readonly #root: string;
  /** By absolute folder; nothing if it has no ignore file. */
  readonly #byFolder = new Map<string, Promise<readonly FileRules[]>>();
  /** By path relative to the root: whether the folder is left out. */
  readonly #folders = new Map<string, boolean>();
  #work = 0;
  /** From the root's own upwards. */
  readonly #above: readonly string[];

  /** Hidden folders and files that are part of the tree all the same. */
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

  /** How many patterns were tested so far; endless where one was not tested, since it could take very long. */
  get work(): number {
    return this.#work;
  }

  async ignores(path: string, kind: 'file' | 'folder'): Promise<boolean> {
    if (looksSecret(path)) return true;
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count += 1) {
      const isLast = count === parts.length;
      const step = parts.slice(0, count).join('/');
      // What is below a folder that is left out cannot be taken in again.
      if (await this.#isLeftOut(step, isLast ? kind : 'folder')) return true;
    }
    return false;
  }

  /**
   * Why a file is withheld unless such files are asked for: it looks like a secret, or an ignore file leaves it out.
   * That it is hidden is no reason, nor is that a folder above leaves out the root as a whole.
   */
  async whyWithheld(path: string): Promise<'secret' | 'ignored' | undefined> {
    if (looksSecret(path)) return 'secret';
    const below = await this.#aboveWithout(this.#root);
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count += 1) {
      const kind = count === parts.length ? 'file' : 'folder';
      const absolute = join(this.#root, parts.slice(0, count).join('/'));
      const folders = [...foldersBetween(this.#root, dirname(absolute)), ...below];
      if ((await this.#said(absolute, kind, folders)) === 'ignored') return 'ignored';
    }
    return undefined;
  }

  /** The folders above that do not leave out the root itself. */
  async #aboveWithout(root: string): Promise<readonly string[]> {
    const said = await Promise.all(
      this.#above.slice(1).map(async (folder) => ({
        folder,
        verdict: await this.#said(root, 'folder', [folder]),
      })),
    );
    return said.flatMap(({ folder, verdict }) => (verdict === 'ignored' ? [] : [folder]));
  }

  /** Files that change what is ignored; after a change of one only a new listing tells. */
  static isIgnoreFile(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return IGNORE_FILES.includes(name) || path === '.git/info/exclude';
  }

  async #isLeftOut(step: string, kind: 'file' | 'folder'): Promise<boolean> {
    if (kind === 'file') return this.#leavesOut(step, kind);
    const known = this.#folders.get(step);
    if (known !== undefined) return known;
    const isLeftOut = await this.#leavesOut(step, kind);
    this.#folders.set(step, isLeftOut);
    return isLeftOut;
  }

  async #leavesOut(path: string, kind: 'file' | 'folder'): Promise<boolean> {
    const absolute = join(this.#root, path);
    const folders = [...foldersBetween(this.#root, dirname(absolute)), ...this.#above.slice(1)];
    const said = await this.#said(absolute, kind, folders);
    if (said !== undefined) return said === 'ignored';
    return path.slice(path.lastIndexOf('/') + 1).startsWith('.') && !this.#hidden.has(path);
  }

  /** What the ignore files of some folders say, the nearest first; `undefined` if they say nothing. */
  async #said(
    absolute: string,
    kind: 'file' | 'folder',
    folders: readonly string[],
  ): Promise<'ignored' | 'taken-in' | undefined> {
    // Each kind of file decides by itself, the nearest folder first; the stronger kind comes first.
    for (let strength = IGNORE_FILES.length; strength >= 0; strength -= 1) {
      for (const folder of folders) {
        const said = (await this.#rulesOf(folder))[strength];
        if (said === undefined || said.patterns === 0) continue;
        this.#work += said.isWhole ? said.patterns : Number.POSITIVE_INFINITY;
        const below = relative(folder, absolute).split(sep).join('/');
        const verdict = said.rules.test(kind === 'folder' ? `${below}/` : below);
        if (verdict.ignored) return 'ignored';
        if (verdict.unignored) return 'taken-in';
      }
    }
    return undefined;
  }

  /** Of the exclude file of git, then of the ignore files, the stronger later. */
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

/** Whether or not they exist: all that can say something of the tree from outside it. */
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

/** From `folder` up to `root`, both with it. */
function foldersBetween(root: string, folder: string): readonly string[] {
  return folder === root || folder.length <= root.length
    ? [root]
    : [folder, ...foldersBetween(root, dirname(folder))];
}
