// `list_directory`: the entries of a folder of the tree, folders first; or the files below it that match a path as a person
// remembers it.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import type { DirectoryEntry, DirectoryPage } from '../../scan/index.ts';
import { fittingPaths } from './fuzzy-path.ts';
import { cursorAt, positionOf } from './position-cursor.ts';
import { defineTool, inputOf, type ToolCall } from './tool.ts';
import { shownPath } from './shown-path.ts';

const PER_PAGE = 500;
/** The most files that are found by name. */
const MOST_FOUND = 20;

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List a folder, or find files by name',
  description:
    'Lists what lies directly in a folder. With find it lists the files below the folder whose path fits best, however ' +
    'loosely: {"find": "usrctl"} finds src/user/controller.ts. Paths are relative to the root; "." is the root.',
  input: inputOf({
    path: z.string().default('.'),
    find: z.string().trim().min(1).max(400).optional().describe('Parts of a path, in order'),
    cursor: z.string().optional().describe('next_cursor of the page before'),
  }),
  async run({ path, find, cursor }, { parts, signal }) {
    const folder = path === '' ? '.' : path;
    if (find !== undefined) return foundFiles(find, folder, { parts, signal });
    const offset = positionOf(cursor, folder);
    if (!offset.ok) return toolFailure(offset.error);
    const listed = await parts.root.list(folder, { offset: offset.value, limit: PER_PAGE });
    if (!listed.ok) return toolFailure(listed.error.message);
    const { nextOffset } = listed.value;
    const next = nextOffset === undefined ? undefined : cursorAt(folder, nextOffset);
    return {
      kind: 'done',
      text: directoryText(listed.value, next),
      data: directoryData(listed.value, next),
    };
  },
});

/** Ignored files and files that look like secrets are not included. */
async function foundFiles(
  find: string,
  folder: string,
  { parts, signal }: Pick<ToolCall, 'parts' | 'signal'>,
) {
  const normal = parts.root.normal(folder);
  if (!normal.ok) return toolFailure(normal.error.message);
  const below: string[] = [];
  for await (const path of parts.root.paths(signal)) {
    if (normal.value === '' || path.startsWith(`${normal.value}/`)) below.push(path);
  }
  const found = fittingPaths(below, find, MOST_FOUND);
  const paths = found.map(({ path }) => path);
  return {
    kind: 'done' as const,
    text:
      paths.length === 0
        ? `No file below ${folder} fits ${JSON.stringify(find)}.`
        : paths.map(shownPath).join('\n'),
    data: { path: folder, found: paths, looked_at: below.length },
  };
}

function directoryData(
  { path, entries, total, isMarked }: DirectoryPage,
  next: string | undefined,
) {
  return {
    path: path === '' ? '.' : path,
    entries: entries.map((entry) => ({
      name: entry.name,
      path: entry.path,
      kind: entry.kind,
      ...(entry.size === undefined ? {} : { size: entry.size }),
      ...(entry.isIgnored ? { is_ignored: true } : {}),
    })),
    total,
    ...(isMarked ? {} : { is_marked: false }),
    ...(next === undefined ? {} : { next_cursor: next }),
  };
}

function directoryText(
  { entries, total, isCut, isMarked }: DirectoryPage,
  next: string | undefined,
): string {
  if (entries.length === 0) return 'The folder is empty.';
  return [
    ...entries.map(entryText),
    ...(next === undefined ? [] : [`${total} entries in all. The next page: cursor "${next}"`]),
    ...(isCut ? [`The folder holds more than ${total} entries; the rest is never listed.`] : []),
    ...(isMarked
      ? []
      : [
          'Not all that is ignored is marked: the ignore files have too many patterns, or too slow ones.',
        ]),
  ].join('\n');
}

function entryText({ name, kind, size, isIgnored }: DirectoryEntry): string {
  const mark = kind === 'folder' ? '/' : kind === 'file' ? '' : ` (${kind})`;
  const bytes = size === undefined ? '' : ` ${size} bytes`;
  return `${shownPath(name)}${mark}${bytes}${isIgnored ? ' (ignored)' : ''}`;
}
