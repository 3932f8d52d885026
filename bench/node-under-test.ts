// The Node for all measurements: the one that runs npm. The `node` of a script can be another one, since a package may
// put its own first in the path.

import { spawnSync } from 'node:child_process';

export interface NodeProgram {
  readonly path: string;
  readonly version: string;
}

export function nodeUnderTest(): NodeProgram {
  const path = process.env['npm_node_execpath'] ?? process.execPath;
  if (path === process.execPath) return { path, version: process.version };
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return { path, version: stdout.trim() };
}

export function majorOf({ version }: NodeProgram): number {
  return Number.parseInt(version.slice(1), 10);
}
