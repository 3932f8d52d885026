import { describe, expect, it } from 'vitest';
import {
  judgeGlobal,
  judgeImport,
  judgeModule,
  placeOf,
  type Rooms,
} from '../oxlint-plugin-rooms/verdict.js';

const rooms: Rooms = {
  packages: {
    base: { name: '@house/base', imports: [] },
    host: {
      name: '@house/host',
      imports: ['base'],
      rooms: {
        cellar: [],
        garden: [],
        loft: [],
        kitchen: ['cellar', 'garden'],
        index: ['kitchen'],
      },
      folders: { loft: { box: [], shelf: ['box'] } },
      open: ['garden'],
    },
    cli: { name: 'house', imports: ['base', 'host'] },
    testkit: { name: '@house/testkit', imports: ['base'], ambient: 'free' },
  },
  ambient: [
    {
      globals: ['process', 'Date.now'],
      modules: ['node:fs', '@vendor/*'],
      allowedIn: ['packages/host/src/cellar/', 'packages/cli/src/main.ts'],
      instead: 'ask the cellar',
    },
  ],
};
const allowed = { kind: 'allowed' };
const refused = (reason: string): object => ({ kind: 'refused', reason });

describe('placeOf', () => {
  it('takes the first folder of src as the room', () => {
    expect(placeOf('packages/host/src/kitchen/pans/lid.ts')).toEqual({
      package: 'host',
      room: 'kitchen',
      inside: 'pans/lid.ts',
    });
  });

  it('takes a file directly in src as a room that is its own door', () => {
    expect(placeOf('packages/cli/src/exit-codes.ts')).toEqual({
      package: 'cli',
      room: 'exit-codes',
      inside: 'index.ts',
    });
  });

  it('finds no room for tests, scripts and programs', () => {
    const paths = ['packages/host/test/kitchen/a.test.ts', 'scripts/a.ts', 'packages/cli/bin/a.js'];
    expect(paths.map(placeOf)).toEqual([undefined, undefined, undefined]);
  });
});

describe('judgeImport', () => {
  const kitchen = 'packages/host/src/kitchen/cook.ts';

  it.each([
    ['within a room', kitchen, './pans/lid.ts'],
    ['down to a listed room, through its door', kitchen, '../cellar/index.ts'],
    ['from a nested folder', 'packages/host/src/kitchen/pans/lid.ts', '../../cellar/index.ts'],
    ['from the file of src that re-exports', 'packages/host/src/index.ts', './kitchen/index.ts'],
    ['of any file of an open room', kitchen, '../garden/rose.tsx'],
    ['of a file in a folder of an open room', kitchen, '../garden/shed/rake.ts'],
    ['within a folder that has a door', 'packages/host/src/loft/shelf/a.ts', './b.ts'],
    ['down to a listed folder', 'packages/host/src/loft/shelf/a.ts', '../box/index.ts'],
    ['of a folder by the door of its room', 'packages/host/src/loft/index.ts', './shelf/index.ts'],
    ['of a listed package', kitchen, '@house/base'],
    ['of a room that a listed package exports', 'packages/cli/src/main.ts', '@house/host/cellar'],
    ['anywhere within a package that has no rooms', 'packages/cli/src/a/b.ts', '../c/d.ts'],
    ['of a package that is not ours', kitchen, 'zod'],
    ['of anything by a test', 'packages/host/test/a.test.ts', '../src/cellar/shelf.ts'],
  ])('allows an import %s', (_, path, specifier) => {
    expect(judgeImport(path, specifier, rooms)).toEqual(allowed);
  });

  it.each([
    [
      'against the arrows between folders',
      'packages/host/src/loft/box/a.ts',
      '../shelf/index.ts',
      "folder 'box' may not import folder 'shelf'; it may import none",
    ],
    [
      'by a folder of a file beside the folders',
      'packages/host/src/loft/shelf/a.ts',
      '../index.ts',
      "folder 'shelf' may not import 'index.ts' of its room; it may import box",
    ],
    [
      'of a folder past its door',
      'packages/host/src/loft/shelf/a.ts',
      '../box/lid.ts',
      "folder 'box' is entered through its index.ts, not 'box/lid.ts'",
    ],
    [
      'by a folder that is not named',
      'packages/host/src/loft/trunk/a.ts',
      '../box/index.ts',
      "folder 'trunk' of room 'loft' is not named in rooms.json",
    ],
    [
      'against the arrows',
      'packages/host/src/cellar/shelf.ts',
      '../kitchen/index.ts',
      "room 'cellar' may not import room 'kitchen'; it may import none",
    ],
    [
      'past an allowed arrow by transitivity',
      'packages/host/src/index.ts',
      './cellar/index.ts',
      "room 'index' may not import room 'cellar'; it may import kitchen",
    ],
    [
      'past the door',
      kitchen,
      '../cellar/shelf.ts',
      "room 'cellar' is entered through its index.ts, not '../cellar/shelf.ts'",
    ],
    [
      'past the door by a nested index.ts',
      kitchen,
      '../cellar/shelf/index.ts',
      "room 'cellar' is entered through its index.ts, not '../cellar/shelf/index.ts'",
    ],
    [
      'of a folder instead of its door',
      kitchen,
      '../cellar',
      "room 'cellar' is entered through its index.ts, not '../cellar'",
    ],
    [
      'of a package above',
      'packages/base/src/a.ts',
      '@house/host',
      "package 'base' may not import package 'host'; it may import none",
    ],
    [
      'of a room of a package above',
      'packages/base/src/a.ts',
      '@house/host/cellar',
      "package 'base' may not import package 'host'; it may import none",
    ],
    [
      "of one's own package by its name",
      kitchen,
      '@house/host',
      "package 'host' may not import package 'host'; it may import base",
    ],
    [
      'past the exports of a package',
      'packages/cli/src/main.ts',
      '@house/host/dist/index.js',
      "package 'host' is entered through its exports, not '@house/host/dist/index.js'",
    ],
    [
      'of another package by path',
      kitchen,
      '../../../base/src/index.ts',
      "'../../../base/src/index.ts' leaves the sources of 'host'; import a package by name",
    ],
    [
      'by a room that is not named',
      'packages/host/src/attic/a.ts',
      './b.ts',
      "room 'attic' of 'host' is not named in rooms.json",
    ],
    [
      'by a package that is not named',
      'packages/shed/src/a.ts',
      'zod',
      "package 'shed' is not named in rooms.json",
    ],
  ])('refuses an import %s', (_, path, specifier, reason) => {
    expect(judgeImport(path, specifier, rooms)).toEqual(refused(reason));
  });
});

describe('judgeModule', () => {
  const reason = (what: string): object =>
    refused(
      `'${what}' is only for packages/host/src/cellar/, packages/cli/src/main.ts; ask the cellar`,
    );

  it.each(['node:fs', 'fs', '@vendor/client'])('refuses %s outside its room', (specifier) => {
    expect(judgeModule('packages/host/src/kitchen/cook.ts', specifier, rooms)).toEqual(
      reason(specifier),
    );
  });

  it('allows it in the room, the file and the package that are named for it', () => {
    const paths = [
      'packages/host/src/cellar/shelf.ts',
      'packages/cli/src/main.ts',
      'packages/testkit/src/a.ts',
      'packages/host/test/a.test.ts',
    ];
    expect(paths.map((path) => judgeModule(path, 'node:fs', rooms))).toEqual(
      paths.map(() => allowed),
    );
  });

  it('does not confuse a name with a longer one', () => {
    expect(judgeModule('packages/host/src/kitchen/a.ts', 'node:fs-extra', rooms)).toEqual(allowed);
    expect(judgeModule('packages/host/src/cellar-door.ts', 'node:fs', rooms)).toEqual(
      reason('node:fs'),
    );
  });
});

describe('judgeGlobal', () => {
  it('refuses a banned name and allows its neighbours', () => {
    const names = ['process', 'Date.now', 'Date', 'Date.parse'];
    const verdicts = names.map((name) => judgeGlobal('packages/base/src/a.ts', name, rooms).kind);
    expect(verdicts).toEqual(['refused', 'refused', 'allowed', 'allowed']);
  });
});
