// Compares the pages about the architecture with the sources and rooms.json.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, repositoryRoot } from '../source/files.ts';
import { rooms } from '../source/rooms.ts';

const [architecture, roomsPage, walks] = ['architecture', 'rooms', 'walks'].map((name) =>
  readFileSync(join(repositoryRoot, `docs/${name}.md`), 'utf8'),
) as [string, string, string];

interface Stop {
  readonly file: string;
  readonly names: readonly string[];
}

function sectionOf(page: string, title: string): string {
  const [, section = ''] = page.split(`\n## ${title}\n`);
  return section.split('\n## ')[0] ?? '';
}

/** The numbered files of one section: ``1. `file` · `name`, `name` ``. */
function walkUnder(title: string): readonly Stop[] {
  const own = sectionOf(walks, title);
  return [...own.matchAll(/^\d+\. `([^`]+)`(?: · (`\w+`(?:, `\w+`)*))?/gmu)].map(
    ([, file = '', names = '']) => ({
      file: join('packages', file),
      names: [...names.matchAll(/\w+/gu)].map(([name]) => name),
    }),
  );
}

/** The wrong statements of a walk about a file. */
function untrue({ file, names }: Stop): readonly string[] {
  const path = join(repositoryRoot, file);
  if (!existsSync(path)) return [`${file} is not there`];
  const text = readFileSync(path, 'utf8');
  const makes = (name: string): boolean =>
    new RegExp(`\\b(?:class|interface|function\\*?|const) ${name}\\b`, 'u').test(text);
  return names.filter((name) => !makes(name)).map((name) => `${file} makes no ${name}`);
}

/** The names in the first column of the tables of rooms. */
function roomsUnder(folder: string): readonly string[] {
  const own = sectionOf(roomsPage, `Rooms of packages/${folder}`);
  const tables = own.split(/^\| folder .*$/mu)[0] ?? '';
  return [...tables.matchAll(/^\| (`[^|]*`) \|/gmu)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w-]+)`/gu)].map(([, name = '']) => name),
  );
}

const SOURCES = ['.ts', '.tsx', '.js'].flatMap((ending) =>
  ['packages', 'tooling', 'bench', 'scripts'].flatMap((folder) =>
    filesUnder(folder, ending).map((file) => `/${file}`),
  ),
);

/** At a pace of 200 words a minute. */
const TEN_MINUTES = 2000;

describe('the pages about the architecture', () => {
  it.each([
    ['One call, from key to result', 40],
    ['The same call, by a command', 15],
  ])('name existing files and functions: %s', (title, least) => {
    const stops = walkUnder(title);
    expect(stops.length).toBeGreaterThanOrEqual(least);
    expect(stops.flatMap(untrue)).toEqual([]);
  });

  it.each([
    ['architecture', architecture],
    ['rooms', roomsPage],
    ['walks', walks],
  ])('name no source file that is missing: %s', (_, page) => {
    const named = [...page.matchAll(/`([\w./-]+\.(?:tsx?|js))`/gu)].map(([, name = '']) => name);
    const missing = named.filter((name) => !SOURCES.some((file) => file.endsWith(`/${name}`)));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('name no folder of the sources that is missing', () => {
    const named = [...architecture.matchAll(/`([a-z-]+\/src\/[\w/-]+)`/gu)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(10);
    const isThere = (name = ''): boolean => existsSync(join(repositoryRoot, 'packages', name));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  it.each(Object.entries(rooms.packages).filter(([, { rooms: inside }]) => inside !== undefined))(
    'say what each room of %s is for, and of no other',
    (folder, { rooms: inside = {} }) => {
      expect(roomsUnder(folder).toSorted()).toEqual(Object.keys(inside).toSorted());
    },
  );

  it('say in ten minutes where a change goes', () => {
    const words = architecture.split(/\s+/u).filter((word) => /\w/u.test(word));
    expect(words.length).toBeLessThanOrEqual(TEN_MINUTES);
  });
});
