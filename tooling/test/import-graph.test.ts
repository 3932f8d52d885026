// Compares the imports in the sources with rooms.json, independently of the linter.

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderIn, judgeImport, placeOf } from '../oxlint-plugin-rooms/verdict.js';
import { findCycle } from '../source/cycle.ts';
import { filesUnder, repositoryRoot } from '../source/files.ts';
import { folderGraph } from '../source/folder-graph.ts';
import { rooms } from '../source/rooms.ts';
import { specifiersOf } from '../source/syntax.ts';

const packages = Object.entries(rooms.packages);
const modules = (['ts', 'tsx'] as const).flatMap((language) =>
  packages
    .flatMap(([folder]) => filesUnder(`packages/${folder}/src`, `.${language}`))
    .map((path) => ({
      path,
      specifiers: specifiersOf(readFileSync(join(repositoryRoot, path), 'utf8'), language),
    })),
);

/** The rooms whose folders have doors: package, room, and what each folder may import. */
const divided = packages.flatMap(([folder, { folders = {} }]) =>
  Object.entries(folders).map(([room, inside]) => [folder, room, inside] as const),
);

describe('rooms.json', () => {
  it('has no cycle between packages', () => {
    const graph = new Map(packages.map(([folder, { imports }]) => [folder, new Set(imports)]));
    expect(findCycle(graph)).toBeUndefined();
  });

  it.each(packages)('has no cycle between the rooms of %s', (_, { rooms: inside = {} }) => {
    const graph = new Map(
      Object.entries(inside).map(([room, imports]) => [room, new Set(imports)]),
    );
    expect(findCycle(graph)).toBeUndefined();
  });

  it.each(packages.filter(([, { rooms: inside }]) => inside !== undefined))(
    'names the rooms of %s, and no other',
    (folder, { rooms: inside = {} }) => {
      const present = modules
        .map(({ path }) => placeOf(path))
        .filter((place) => place !== undefined)
        .filter((place) => place.package === folder)
        .map(({ room }) => room);
      expect([...new Set(present)].toSorted()).toEqual(Object.keys(inside).toSorted());
    },
  );

  it.each(divided)('names the folders of %s/%s, without a cycle', (folder, room, inside) => {
    const present = modules
      .map(({ path }) => placeOf(path))
      .filter((place) => place?.package === folder && place.room === room)
      .map((place) => (place === undefined ? '' : folderIn(place)))
      .filter((name) => name !== '');
    expect([...new Set(present)].toSorted()).toEqual(Object.keys(inside).toSorted());
    const graph = new Map(
      Object.entries(inside).map(([name, imports]) => [name, new Set(imports)]),
    );
    expect(findCycle(graph)).toBeUndefined();
  });
});

describe('every arrow of rooms.json', () => {
  /**
   * `agent/loop -> compact` for each import of one room by another, `host/config/edit -> text` of one folder of a
   * room by another, and `agent -> host` between packages.
   */
  const drawn = new Set(
    modules.flatMap(({ path, specifiers }) =>
      specifiers.flatMap((specifier) => arrowsOf(path, specifier)),
    ),
  );

  it.each(packages)('in %s is needed by some import', (folder, { imports, rooms: inside = {} }) => {
    const allowed = [
      ...imports.map((other) => `${folder} -> ${other}`),
      ...Object.entries(inside).flatMap(([room, others]) =>
        others.map((other) => `${folder}/${room} -> ${other}`),
      ),
    ];
    expect(allowed.filter((arrow) => !drawn.has(arrow))).toEqual([]);
  });

  it.each(divided)('between folders of %s/%s is needed by some import', (folder, room, inside) => {
    const allowed = Object.entries(inside).flatMap(([name, others]) =>
      others.map((other) => `${folder}/${room}/${name} -> ${other}`),
    );
    expect(allowed.filter((arrow) => !drawn.has(arrow))).toEqual([]);
  });
});

function arrowsOf(path: string, specifier: string): readonly string[] {
  const from = placeOf(path);
  if (from === undefined) return [];
  const other = packages.find(
    ([, { name }]) => specifier === name || specifier.startsWith(`${name}/`),
  );
  if (other !== undefined) return [`${from.package} -> ${other[0]}`];
  if (!specifier.startsWith('.')) return [];
  const to = placeOf(posix.join(posix.dirname(path), specifier));
  if (to === undefined) return [];
  return to.room === from.room
    ? [`${from.package}/${from.room}/${folderIn(from)} -> ${folderIn(to)}`]
    : [`${from.package}/${from.room} -> ${to.room}`];
}

describe('the source files', () => {
  it('of every package are scanned, with their imports', () => {
    const seen = packages.map(([folder]) => {
      const own = modules.filter(({ path }) => path.startsWith(`packages/${folder}/src/`));
      return own.some(({ specifiers }) => specifiers.length > 0);
    });
    expect(seen).toEqual(packages.map(() => true));
  });

  it('import only what rooms.json allows', () => {
    const refusals = modules.flatMap(({ path, specifiers }) =>
      specifiers
        .map((specifier) => judgeImport(path, specifier, rooms))
        .filter((verdict) => verdict.kind === 'refused')
        .map(({ reason }) => `${path}: ${reason}`),
    );
    expect(refusals).toEqual([]);
  });

  it('have no cycle between folders, types included', () => {
    const folders = new Map(
      packages.map(([folder, { name }]) => [name, `packages/${folder}/src`] as const),
    );
    expect(findCycle(folderGraph(modules, folders))).toBeUndefined();
  });
});
