// Performs what people and tools do to a repository, chosen at random: edits, moves, floods of files, changes of ignore files,
// and git commands. The steps are logged for the report of a failure.

import { execFile } from 'node:child_process';
import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Random } from './random.ts';
import { codeOf, someName, somePath, WORDS } from './sample-code.ts';

const FIRST_FILES = 40;
const IGNORED = [
  'lib/net/',
  '*.txt',
  'docs',
  '!docs/',
  'flood*/',
  '!flood-1/',
  '*-2.*',
  '/src/core',
  '**/deep/**',
];
const HIDDEN = ['.github/workflows/ci.yml', '.config/tool.json', 'src/.hidden.ts', '.editorconfig'];

export class Workload {
  readonly root: string;
  readonly notes: string[] = [];
  readonly #random: Random;
  readonly #floodFiles: number;
  #branches = 0;

  constructor(root: string, random: Random, floodFiles: number) {
    this.root = root;
    this.#random = random;
    this.#floodFiles = floodFiles;
  }

  async begin(): Promise<void> {
    await mkdir(this.root, { recursive: true });
    await this.#git('init', '--initial-branch=main');
    for (let count = 0; count < FIRST_FILES; count += 1) await this.#add();
    await this.#put('.gitignore', 'build/\nnode_modules/\n');
    await this.#commit();
  }

  async step(): Promise<void> {
    const act = this.#random.choose<() => Promise<void>>([
      [6, () => this.#edit()],
      [3, () => this.#editOneWord()],
      [3, () => this.#saveByRenaming()],
      [2, () => this.#editKeepingTime()],
      [4, () => this.#add()],
      [3, () => this.#remove()],
      [3, () => this.#move()],
      [2, () => this.#moveFolder()],
      [1, () => this.#copyFolder()],
      [1, () => this.#removeFolder()],
      [2, () => this.#swapFileAndFolder()],
      [3, () => this.#ignore()],
      [2, () => this.#hide()],
      [1, () => this.#link()],
      [2, () => this.#makeUnusual()],
      [2, () => this.#flood()],
      [1, () => this.#ebb()],
      [3, () => this.#commit()],
      [4, () => this.#switchBranch()],
      [1, () => this.#reset()],
      [1, () => this.#shelve()],
    ]);
    await act();
  }

  /** All plain files of the tree, sorted. */
  async files(): Promise<readonly string[]> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.root.length + 1))
      .filter((path) => !path.startsWith('.git/'))
      .toSorted();
  }

  async folders(): Promise<readonly string[]> {
    const files = await this.files();
    const folders = files.flatMap((path) => {
      const parts = path.split('/').slice(0, -1);
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    });
    return [...new Set(folders)].toSorted();
  }

  async #edit(): Promise<void> {
    for (const path of this.#random.some(await this.files(), this.#random.between(1, 5))) {
      await this.#put(path, codeOf(path, this.#random));
    }
  }

  /** Replaces text by text of the same length. */
  async #editOneWord(): Promise<void> {
    const path = await this.#anyFile();
    if (path === undefined) return;
    await this.#put(path, otherWord(await readFile(join(this.root, path), 'utf8'), this.#random));
  }

  /** Saves as editors do, so that a file is never half written. */
  async #saveByRenaming(): Promise<void> {
    const path = await this.#anyFile();
    if (path === undefined) return;
    const draft = `${path}.tmp~`;
    await this.#put(draft, codeOf(path, this.#random));
    await this.#rename(draft, path);
  }

  /** Sets the time back, as archives and synchronisation do. */
  async #editKeepingTime(): Promise<void> {
    const path = await this.#anyFile();
    if (path === undefined) return;
    const { atime, mtime } = await stat(join(this.root, path));
    await this.#put(path, otherWord(await readFile(join(this.root, path), 'utf8'), this.#random));
    await utimes(join(this.root, path), atime, mtime);
    this.notes.push(`kept the time of ${path}`);
  }

  async #add(): Promise<void> {
    const path = somePath(this.#random);
    await this.#put(path, codeOf(path, this.#random));
  }

  async #remove(): Promise<void> {
    for (const path of this.#random.some(await this.files(), this.#random.between(1, 3))) {
      await this.#delete(path);
    }
  }

  async #move(): Promise<void> {
    const path = await this.#anyFile();
    if (path !== undefined) await this.#rename(path, somePath(this.#random));
  }

  async #moveFolder(): Promise<void> {
    const folder = await this.#anyFolder();
    if (folder === undefined) return;
    const to = `${this.#random.pick(['moved', 'src/moved', 'lib', 'docs'])}-${this.#random.below(3)}`;
    if (!`${to}/`.startsWith(`${folder}/`)) await this.#rename(folder, to);
  }

  async #copyFolder(): Promise<void> {
    const folder = await this.#anyFolder();
    const to = `copy-${this.#random.below(3)}`;
    if (folder === undefined || folder.startsWith('copy-')) return;
    await cp(join(this.root, folder), join(this.root, to), { recursive: true }).catch(() => {});
    this.notes.push(`copied ${folder} to ${to}`);
  }

  async #removeFolder(): Promise<void> {
    const folder = await this.#anyFolder();
    if (folder !== undefined) await this.#delete(folder);
  }

  async #swapFileAndFolder(): Promise<void> {
    if (this.#random.chance(0.5)) {
      const path = await this.#anyFile();
      if (path === undefined) return;
      await this.#delete(path);
      await this.#put(`${path}/${this.#random.pick(WORDS)}.ts`, codeOf('x.ts', this.#random));
      return;
    }
    const folder = await this.#anyFolder();
    if (folder === undefined) return;
    await this.#delete(folder);
    await this.#put(folder, codeOf('x.txt', this.#random));
  }

  async #ignore(): Promise<void> {
    const folder = this.#random.chance(0.6) ? '' : `${(await this.#anyFolder()) ?? 'src'}/`;
    const file = `${folder}${this.#random.pick(['.gitignore', '.gitignore', '.ignore', '.rgignore'])}`;
    if (this.#random.chance(0.4)) {
      await this.#delete(file);
      return;
    }
    const patterns = this.#random.some(IGNORED, this.#random.between(1, 3));
    await this.#put(file, `build/\nnode_modules/\n${patterns.join('\n')}\n`);
    if (this.#random.chance(0.2)) await this.#put('.git/info/exclude', `${patterns.join('\n')}\n`);
  }

  /** Hidden files are part of the tree if git tracks them. */
  async #hide(): Promise<void> {
    const path = this.#random.pick(HIDDEN);
    if (this.#random.chance(0.7)) await this.#put(path, codeOf('x.txt', this.#random));
    if (this.#random.chance(0.6)) await this.#git('add', '--force', '--', path);
    else await this.#git('rm', '--cached', '--force', '--quiet', '--', path);
  }

  async #link(): Promise<void> {
    const path = somePath(this.#random);
    const target = this.#random.pick([
      (await this.#anyFile()) ?? 'x',
      (await this.#anyFolder()) ?? 'x',
    ]);
    await this.#delete(path);
    await mkdir(dirname(join(this.root, path)), { recursive: true }).catch(() => {});
    await symlink(join(this.root, target), join(this.root, path)).catch(() => {});
    this.notes.push(`linked ${path} to ${target}`);
  }

  /** Binary, empty, in another encoding, long lines, or too large. */
  async #makeUnusual(): Promise<void> {
    const path = (await this.#anyFile()) ?? somePath(this.#random);
    const code = codeOf(path, this.#random);
    const content = this.#random.pick<() => string | Buffer>([
      () => Buffer.from([0, 1, 2, 3, 0, 255, ...Buffer.from(code)]),
      () => '',
      () => Buffer.from(`\uFEFF${code}`, 'utf16le'),
      () => Buffer.from(`// Grüße an ${code}`, 'latin1'),
      () => `const line = "${someName(this.#random)} ".repeat(1);`.repeat(900),
      () => `${code}\n`.repeat(Math.ceil(1_200_000 / (code.length + 1))),
      () => code.replaceAll('\n', '\r\n'),
    ])();
    await this.#put(path, content);
  }

  async #flood(): Promise<void> {
    const folder = `flood-${this.#random.below(3)}`;
    for (let count = 0; count < this.#floodFiles; count += 1) {
      const path = `${folder}/${count % 7}/made-${count}.${count % 3 === 0 ? 'py' : 'ts'}`;
      await this.#put(path, codeOf(path, this.#random), 'unnoted');
    }
    this.notes.push(`flooded ${folder} with ${this.#floodFiles} files`);
  }

  async #ebb(): Promise<void> {
    await this.#delete(`flood-${this.#random.below(3)}`);
  }

  async #commit(): Promise<void> {
    await this.#git('add', '--all');
    await this.#git('commit', '--quiet', '--allow-empty', '--message', someName(this.#random));
  }

  async #switchBranch(): Promise<void> {
    if (this.#branches < 4 && this.#random.chance(0.5)) {
      await this.#git('checkout', '--quiet', '-b', `branch-${this.#branches}`);
      this.#branches += 1;
      return;
    }
    const names = ['main', ...Array.from({ length: this.#branches }, (_, at) => `branch-${at}`)];
    await this.#git('checkout', '--quiet', '--force', this.#random.pick(names));
  }

  async #reset(): Promise<void> {
    await this.#git('reset', '--quiet', '--hard');
    if (this.#random.chance(0.5)) await this.#git('clean', '-d', '--force', '--quiet');
  }

  async #shelve(): Promise<void> {
    await this.#git('stash', '--include-untracked', '--quiet');
    if (this.#random.chance(0.6)) await this.#git('stash', 'pop', '--quiet');
  }

  async #anyFile(): Promise<string | undefined> {
    const files = await this.files();
    return files.length === 0 ? undefined : this.#random.pick(files);
  }

  async #anyFolder(): Promise<string | undefined> {
    const folders = await this.folders();
    return folders.length === 0 ? undefined : this.#random.pick(folders);
  }

  /** Writes nothing if a file is in the way of a folder, or the other way round. */
  async #put(
    path: string,
    content: string | Buffer,
    noted: 'noted' | 'unnoted' = 'noted',
  ): Promise<void> {
    const file = join(this.root, path);
    const isDone = await mkdir(dirname(file), { recursive: true })
      .then(() => writeFile(file, content))
      .then(
        () => true,
        () => false,
      );
    if (noted === 'noted') this.notes.push(`${isDone ? 'wrote' : 'did not write'} ${path}`);
  }

  async #delete(path: string): Promise<void> {
    await rm(join(this.root, path), { recursive: true, force: true });
    this.notes.push(`removed ${path}`);
  }

  async #rename(from: string, to: string): Promise<void> {
    const target = join(this.root, to);
    const isDone = await mkdir(dirname(target), { recursive: true })
      .then(() => rename(join(this.root, from), target))
      .then(
        () => true,
        () => false,
      );
    this.notes.push(`${isDone ? 'moved' : 'did not move'} ${from} to ${to}`);
  }

  /** It does not matter if git refuses. */
  async #git(...args: readonly string[]): Promise<void> {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'gc.auto=0'];
    const env = { PATH: process.env['PATH'], HOME: this.root, GIT_CONFIG_NOSYSTEM: '1' };
    const said = await promisify(execFile)('git', [...who, ...args], { cwd: this.root, env }).then(
      () => '',
      () => ' (refused)',
    );
    this.notes.push(`git ${args.join(' ')}${said}`);
  }
}

function otherWord(text: string, random: Random): string {
  const found = WORDS.filter((word) => text.includes(word));
  if (found.length === 0) return `${text}${random.pick(WORDS)}`;
  const word = random.pick(found);
  const others = WORDS.filter((one) => one.length === word.length && one !== word);
  return others.length === 0 ? text : text.replace(word, random.pick(others));
}
