// The imports that are really in the sources, held against rooms.json without the linter's help.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeImport, placeOf } from '../oxlint-plugin-rooms/verdict.js';
import { findCycle } from '../source/cycle.ts';
import { filesUnder, repositoryRoot } from '../source/files.ts';
import { folderGraph } from '../source/folder-graph.ts';
import { rooms } from '../source/rooms.ts';
import { specifiersOf } from '../source/syntax.ts';

const packages = Object.entries(rooms.packages);
const modules = packages
  .flatMap(([folder]) => filesUnder(`packages/${folder}/src`, '.ts'))
  .map((path) => ({
    path,
    specifiers: specifiersOf(readFileSync(join(repositoryRoot, path), 'utf8')),
  }));

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
    'names the rooms that %s has, and no other',
    (folder, { rooms: inside = {} }) => {
      const present = modules
        .map(({ path }) => placeOf(path))
        .filter((place) => place !== undefined)
        .filter((place) => place.package === folder)
        .map(({ room }) => room);
      expect([...new Set(present)].toSorted()).toEqual(Object.keys(inside).toSorted());
    },
  );
});

describe('the sources', () => {
  it('of every package are looked at, imports included', () => {
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
