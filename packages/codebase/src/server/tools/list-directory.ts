// `list_directory`: what lies directly in a folder of the tree, folders first.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import type { DirectoryEntry, DirectoryPage } from '../../scan/index.ts';
import { cursorAt, positionOf } from './position-cursor.ts';
import { defineTool, inputOf } from './tool.ts';

const PER_PAGE = 500;

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List a folder',
  description:
    'Lists what lies directly in a folder. Paths are relative to the root; "." is the root.',
  input: inputOf({
    path: z.string().default('.'),
    cursor: z.string().optional().describe('next_cursor of the page before'),
  }),
  async run({ path, cursor }, { parts }) {
    const folder = path === '' ? '.' : path;
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
  return `${name}${mark}${bytes}${isIgnored ? ' (ignored)' : ''}`;
}
