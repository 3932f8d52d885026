// Copies an untrusted folder into a new one: files, folders, and links that stay inside. A link that leads
// out, a device or a pipe makes the whole copy fail, and then nothing is left.

import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { codeOf, err, ok, type Result } from '@plugboard/base';
import { isWithin } from '@plugboard/base/platform';
import { type FolderProblem, newFolder } from './new-folder.ts';

export type CopyProblem =
  | FolderProblem
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'too-many-entries'; readonly limit: number }
  | { readonly kind: 'too-large'; readonly limit: number }
  | {
      readonly kind: 'refused';
      readonly entry: string;
      readonly reason: 'link-leaves' | 'not-a-file';
    };

export interface CopyLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Enough for installed dependencies, and too little for a folder that was chosen by mistake. */
export const COPY_LIMITS: CopyLimits = { maxEntries: 100_000, maxBytes: 1024 * 1024 * 1024 };

export interface CopyOptions {
  readonly source: string;
  /** The path of the copy, which must not exist. */
  readonly target: string;
  /** Names directly in the source that are left out. */
  readonly except?: readonly string[];
  readonly limits?: CopyLimits;
}

export async function copyFolder(options: CopyOptions): Promise<Result<undefined, CopyProblem>> {
  const { source, target, except = [], limits = COPY_LIMITS } = options;
  let root: string;
  try {
    root = await realpath(source);
    await readdir(root);
  } catch (thrown) {
    return err({ kind: 'unreadable', code: codeOf(thrown) ?? 'UNKNOWN' });
  }
  return newFolder(target, (draft) => new Copy({ root, draft, except, limits }).run());
}

interface CopyPlan {
  readonly root: string;
  readonly draft: string;
  readonly except: readonly string[];
  readonly limits: CopyLimits;
}

class Copy {
  readonly #plan: CopyPlan;
  #entries = 0;
  #bytes = 0;

  constructor(plan: CopyPlan) {
    this.#plan = plan;
  }

  async run(): Promise<Result<undefined, CopyProblem>> {
    const { root, except } = this.#plan;
    const items = await readdir(root, { withFileTypes: true });
    return this.#copyAll(
      '',
      items.filter(({ name }) => !except.includes(name)),
    );
  }

  async #copyAll(
    folder: string,
    items: readonly Dirent[],
  ): Promise<Result<undefined, CopyProblem>> {
    for (const item of items) {
      const problem = await this.#copyOne(join(folder, item.name), item);
      if (problem !== undefined) return err(problem);
    }
    return ok(undefined);
  }

  async #copyOne(path: string, item: Dirent): Promise<CopyProblem | undefined> {
    const { root, draft, limits } = this.#plan;
    const [from, to] = [join(root, path), join(draft, path)];
    this.#entries += 1;
    if (this.#entries > limits.maxEntries) {
      return { kind: 'too-many-entries', limit: limits.maxEntries };
    }
    if (item.isDirectory()) {
      await mkdir(to);
      const copied = await this.#copyAll(path, await readdir(from, { withFileTypes: true }));
      return copied.ok ? undefined : copied.error;
    }
    if (item.isSymbolicLink()) return this.#copyLink(path);
    if (!item.isFile()) return { kind: 'refused', entry: path, reason: 'not-a-file' };
    this.#bytes += (await stat(from)).size;
    if (this.#bytes > limits.maxBytes) return { kind: 'too-large', limit: limits.maxBytes };
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return undefined;
  }

  async #copyLink(path: string): Promise<CopyProblem | undefined> {
    const { root, draft } = this.#plan;
    const end = await realpath(join(root, path)).catch(() => undefined);
    if (end === undefined || !isWithin(root, end)) {
      return { kind: 'refused', entry: path, reason: 'link-leaves' };
    }
    // Relative, so that the copy leads into the copy.
    await symlink(relative(dirname(join(root, path)), end), join(draft, path));
    return undefined;
  }
}
