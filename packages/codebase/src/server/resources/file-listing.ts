// Lists all files of the tree in pages, sorted by path. A page starts after the last path of the previous one, so that pages
// stay in place while files come and go. The listing is cached until the tree changes.

import { err, never, ok, type Result } from '@plugboard/base';
import type { ListedFile, Tree } from '../../scan/index.ts';
import type { CodebaseParts } from '../parts/codebase-parts.ts';

export interface FileListPage {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly total: number;
  readonly nextCursor?: string;
}

const PER_PAGE = 1000;
const LONGEST_CURSOR = 8192;

export class FileListing {
  readonly #root: Pick<Tree, 'files'>;
  readonly #changes: CodebaseParts['changes'];
  #listed: Promise<readonly ListedFile[]> | undefined;

  constructor({ root, changes }: Pick<CodebaseParts, 'root' | 'changes'>) {
    this.#root = root;
    this.#changes = changes;
    changes.on(() => {
      this.#listed = undefined;
    });
  }

  async page(cursor: string | undefined): Promise<Result<FileListPage, string>> {
    const after = decodeCursor(cursor);
    if (after === undefined) return err('the cursor is not one of this listing');
    const all = await this.#all();
    const start = firstAfter(all, after);
    const page = all.slice(start, start + PER_PAGE);
    const last = page.at(-1);
    const hasMore = last !== undefined && start + page.length < all.length;
    return ok({
      files: page.map(({ path, size }) => ({ path, size })),
      total: all.length,
      ...(hasMore ? { nextCursor: Buffer.from(last.path).toString('base64url') } : {}),
    });
  }

  /** Shared by all requests, so no single one can abort it. */
  #all(): Promise<readonly ListedFile[]> {
    // Without a watcher, a cached listing could be out of date.
    if (!this.#changes.isWatching) return this.#list();
    const listed = (this.#listed ??= this.#list());
    listed.catch(() => {
      // The caller gets the error; the next caller tries again.
      if (this.#listed === listed) this.#listed = undefined;
    });
    return listed;
  }

  async #list(): Promise<readonly ListedFile[]> {
    const files: ListedFile[] = [];
    for await (const file of this.#root.files(never)) files.push(file);
    return files.toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  }
}

/** The path in a cursor; empty without a cursor, `undefined` for an invalid one. */
function decodeCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return '';
  if (cursor.length > LONGEST_CURSOR || !/^[\w-]+$/.test(cursor)) return undefined;
  const path = Buffer.from(cursor, 'base64url').toString('utf8');
  return path === '' || path.includes('\uFFFD') || path.includes('\0') ? undefined : path;
}

function firstAfter(files: readonly ListedFile[], path: string): number {
  let low = 0;
  for (let high = files.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((files[middle]?.path ?? '') > path) high = middle;
    else low = middle + 1;
  }
  return low;
}
