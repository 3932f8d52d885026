// rooms.json, the project references of TypeScript and the dependencies of the packages must agree, and the compiler
// must refuse what rooms.json refuses.

import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldersIn, repositoryRoot } from '../source/files.ts';
import { rooms } from '../source/rooms.ts';
import { runProgram } from './run-program.ts';
import { tempTree } from './temp-tree.ts';

const readJson = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as Record<string, unknown>;

/** The folders that the project in `folder` references, relative to the root of the repository. */
function referencesOf(folder: string): string[] {
  const { references } = readJson(`${folder}/tsconfig.json`) as { references: { path: string }[] };
  return references.map(({ path }) => posix.join(folder, path)).toSorted();
}

const packages = Object.entries(rooms.packages);
const host = 'packages/host';
const hostRooms = Object.entries(rooms.packages['host']?.rooms ?? {});
const isFile = (room: string): boolean =>
  existsSync(join(repositoryRoot, host, 'src', `${room}.ts`));
const allowed = (rooms.packages['host']?.imports ?? []).map((other) => `packages/${other}`);
/** Rooms that are folders are projects; those that are files belong to the project of the package. */
const foldersOfHost = hostRooms.filter(([room]) => !isFile(room));
const filesOfHost = hostRooms.filter(([room]) => isFile(room));

describe('the packages', () => {
  it('are all named in rooms.json, and those named exist', () => {
    // A package without sources is data, and has no rooms.
    const withSources = foldersIn('packages').filter((folder) =>
      existsSync(join(repositoryRoot, 'packages', folder, 'src')),
    );
    expect(packages.map(([folder]) => folder).toSorted()).toEqual(withSources);
  });

  it.each(packages)('%s has the npm name and the dependencies of rooms.json', (folder, wanted) => {
    const { name, dependencies, devDependencies } = readJson(`packages/${folder}/package.json`);
    // What is bundled into the command is needed to build it, not to run it.
    const needed = { ...(dependencies as object), ...(devDependencies as object) };
    const ours = packages
      .filter(([other, { name: theirs }]) => theirs in needed && hasEntrance(other))
      .map(([other]) => other);
    // And what the bundled packages find by itself, such as the files of a model, has to be there when it runs.
    const ofOthers = new Set(wanted.imports.flatMap((other) => rooms.packages[other]?.imports));
    const imports = ours.filter((other) => wanted.imports.includes(other) || !ofOthers.has(other));
    expect({ name, imports }).toEqual({
      name: wanted.name,
      imports: [...wanted.imports],
    });
  });

  it.each(packages.filter(([folder]) => folder !== 'host'))(
    '%s references exactly its allowed imports',
    (folder, { imports }) => {
      expect(referencesOf(`packages/${folder}`)).toEqual(
        imports.map((other) => `packages/${other}`).toSorted(),
      );
    },
  );

  it('are all built from the root', () => {
    expect(referencesOf('.')).toEqual(packages.map(([folder]) => `packages/${folder}`).toSorted());
  });
});

describe('the rooms of host', () => {
  it('are separate projects, one for each folder', () => {
    expect(foldersOfHost.map(([room]) => room).toSorted()).toEqual(foldersIn(`${host}/src`));
  });

  it.each(foldersOfHost)(
    '%s references base, the rooms that it may import and no package that the host may not',
    (room, imports) => {
      const references = referencesOf(`${host}/src/${room}`);
      const ofRooms = references.filter((path) => path.startsWith(host));
      expect(ofRooms).toEqual(imports.map((other) => `${host}/src/${other}`).toSorted());
      const others = references.filter((path) => !path.startsWith(host));
      expect(others).toContain('packages/base');
      expect(allowed).toEqual(expect.arrayContaining(others));
    },
  );

  it('are referenced by the package as its own files may import them', () => {
    const imports = [...new Set(filesOfHost.flatMap(([, listed]) => listed))];
    expect(referencesOf(host)).toEqual(
      ['packages/base', ...imports.map((other) => `${host}/src/${other}`)].toSorted(),
    );
  });
});

describe('the compiler', () => {
  it('builds along the arrows and refuses an import against them, even of a type', () => {
    using tree = tempTree(
      Object.fromEntries(
        allowed.map((path) => [`${path}/src/index.ts`, 'export const value = 1;\n']),
      ),
    );
    const files = [
      'tsconfig.base.json',
      ...allowed.flatMap((path) => [`${path}/tsconfig.json`, `${path}/package.json`]),
      `${host}/tsconfig.json`,
    ];
    const projects = foldersOfHost.map(([room]) => `${host}/src/${room}/tsconfig.json`);
    for (const file of [...files, ...projects, `${host}/package.json`]) {
      cpSync(join(repositoryRoot, file), join(tree.root, file), { recursive: true });
    }
    mkdirSync(join(tree.root, 'node_modules'));
    symlinkSync(
      join(repositoryRoot, 'node_modules/@types'),
      join(tree.root, 'node_modules/@types'),
    );
    for (const [room, imports] of hostRooms) {
      const file = isFile(room) ? `${host}/src/${room}.ts` : `${host}/src/${room}/index.ts`;
      const up = isFile(room) ? '.' : '..';
      const lines = imports.map(
        (other) => `export { ${other.replaceAll('-', '_')} } from '${up}/${other}/index.ts';`,
      );
      tree.write({
        [file]: [...lines, `export const ${room.replaceAll('-', '_')} = '${room}';`, ''].join('\n'),
      });
    }
    const build = (): ReturnType<typeof runProgram> =>
      runProgram('node_modules/typescript/bin/tsc', ['-b', host], tree.root);

    expect(build()).toEqual({ code: 0, output: '' });
    const built = ['index.js', 'index.d.ts', ...foldersOfHost.map(([room]) => `${room}/index.js`)];
    expect(built.filter((file) => !existsSync(join(tree.root, host, 'dist', file)))).toEqual([]);

    tree.write({
      [`${host}/src/platform/bad.ts`]: `export type { catalog } from '../catalog/index.ts';\n`,
    });
    const refused = build();
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/platform\/bad\.ts.*TS6307/);
  });
});

/** Of a package without one, such as the page of the console, others use files and import nothing. */
function hasEntrance(folder: string): boolean {
  const { exports } = readJson(`packages/${folder}/package.json`);
  return /\.js"/.test(JSON.stringify(exports ?? {}));
}
