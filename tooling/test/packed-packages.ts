// The packages as npm would publish them, unpacked into the node_modules of a folder far from the repository. Of
// other packages it has those that the packed ones declare, so what is used and not declared is not found.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../source/files.ts';
import { tempTree, type TempTree } from './temp-tree.ts';

export interface Manifest {
  readonly name: string;
  readonly license: string;
  readonly engines: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface PackedPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
  /** All that is in the tarball, relative to its folder. */
  readonly files: readonly string[];
}

export interface InstalledPackages extends TempTree {
  readonly packages: readonly PackedPackage[];
  /** Runs a program in the folder, and hands back what it printed. Throws where it failed. */
  run(program: string, args: readonly string[]): string;
}

/** `folders` of packages/; `alsoThere`: packages that the program needs by itself. */
export function installPacked(
  folders: readonly string[],
  alsoThere: readonly string[] = [],
): InstalledPackages {
  const tree = tempTree({ 'package.json': '{ "type": "module", "private": true }\n' });
  const run = (program: string, args: readonly string[], cwd = tree.root): string => {
    const ended = spawnSync(program, args, {
      cwd,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: tree.root,
        npm_config_cache: join(tree.root, '.npm'),
      },
    });
    if (ended.error !== undefined) throw ended.error;
    if (ended.status !== 0) throw new Error(`${program}: ${ended.stdout}${ended.stderr}`);
    return ended.stdout;
  };
  const paths = folders.map((folder) => `./packages/${folder}`);
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', tree.root, ...paths];
  run('npm', args, repositoryRoot);
  const tarballs = readdirSync(tree.root).filter((file) => file.endsWith('.tgz'));
  const packages = tarballs.map((tarball) => unpack(tree.root, tarball, run));
  const others = packages.flatMap(({ manifest }) =>
    Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
  );
  const own = new Set(packages.map(({ name }) => name));
  for (const name of new Set([...others, ...alsoThere])) {
    if (!own.has(name)) link(tree.root, name);
  }
  return { ...tree, packages, run: (program, given) => run(program, given) };
}

function unpack(
  root: string,
  tarball: string,
  run: (program: string, args: readonly string[]) => string,
): PackedPackage {
  run('tar', ['xzf', tarball]);
  const unpacked = join(root, 'package');
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Manifest;
  const folder = join(root, 'node_modules', manifest.name);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(unpacked, folder);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return { name: manifest.name, folder, manifest, files };
}

function link(root: string, name: string): void {
  const path = join(root, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules', name), path, 'dir');
}
