// Lists the entries of a folder of the tree: sorted, in pages, with ignored entries marked. Links are shown as links and
// not followed.

import {
  type ConfinedHandle,
  entryFacts,
  type EntryKind,
  folderEntries,
  type FolderEntry,
  pathOfFolder,
} from '../platform/index.ts';
import { IgnoreRules } from './ignore-rules.ts';

export interface DirectoryRequest {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: EntryKind;
  /** Only for files. */
  readonly size?: number;
  readonly isIgnored: boolean;
}

export interface DirectoryPage {
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  readonly total: number;
  /** The folder has more entries than are ever listed. */
  readonly isCut: boolean;
  /** False if the ignore files have too many patterns to test every entry; untested entries are not marked. */
  readonly isMarked: boolean;
  readonly nextOffset?: number;
}

const MOST_ENTRIES = 50_000;
const MOST_PER_PAGE = 1000;
const USUAL_PER_PAGE = 200;
/** How many patterns are tested for one listing: that blocks the process for some tenths of a second. */
const MOST_WORK = 200_000;

/** `undefined` if the folder cannot be listed. */
export async function listDirectory(
  place: { readonly root: string; readonly path: string; readonly folder: ConfinedHandle },
  request: DirectoryRequest,
): Promise<DirectoryPage | undefined> {
  const { root, path } = place;
  const folder = pathOfFolder(place.folder);
  const listed = await entriesOf(folder);
  if (listed === undefined) return undefined;
  const rules = await IgnoreRules.read(root);
  const marked = await markedEntries(rules, path, listed.entries.toSorted(byKindThenName));
  const offset = Math.max(0, request.offset ?? 0);
  const limit = Math.min(Math.max(1, request.limit ?? USUAL_PER_PAGE), MOST_PER_PAGE);
  const page = marked.slice(offset, offset + limit);
  const hasMore = offset + page.length < marked.length;
  return {
    path,
    entries: await Promise.all(page.map((entry) => withSize(folder, entry))),
    total: marked.length,
    isCut: listed.isCut,
    isMarked: rules.work <= MOST_WORK,
    ...(hasMore ? { nextOffset: offset + page.length } : {}),
  };
}

async function markedEntries(
  rules: IgnoreRules,
  folder: string,
  entries: readonly FolderEntry[],
): Promise<readonly DirectoryEntry[]> {
  const marked: DirectoryEntry[] = [];
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const kind = entry.kind === 'folder' ? 'folder' : 'file';
    const isIgnored = rules.work <= MOST_WORK && (await rules.ignores(path, kind));
    marked.push({ ...entry, path, isIgnored });
  }
  return marked;
}

async function entriesOf(
  folder: string,
): Promise<Awaited<ReturnType<typeof folderEntries>> | undefined> {
  try {
    return await folderEntries(folder, MOST_ENTRIES);
  } catch {
    // The caller reports that it cannot be read.
    return undefined;
  }
}

async function withSize(
  folder: string,
  { name, path, kind, isIgnored }: DirectoryEntry,
): Promise<DirectoryEntry> {
  const facts = kind === 'file' ? await entryFacts(folder, name) : undefined;
  return { name, path, kind, ...(facts === undefined ? {} : { size: facts.size }), isIgnored };
}

/** Folders first, then by name in the order of code points, which is the same everywhere. */
function byKindThenName(a: FolderEntry, b: FolderEntry): number {
  const rank = (entry: FolderEntry): number => (entry.kind === 'folder' ? 0 : 1);
  return rank(a) - rank(b) || (a.name < b.name ? -1 : Number(a.name > b.name));
}
