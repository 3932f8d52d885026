// Trusts the servers of a folder, like its user does once.

import { execFileSync } from 'node:child_process';
import { nodeUnderTest } from '../node-under-test.ts';
import { plugboardBin } from '../places.ts';

export interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export function trustServers(names: readonly string[], { folder, env }: Place): void {
  for (const name of names) {
    const args = [plugboardBin, 'trust', name];
    execFileSync(nodeUnderTest().path, args, { cwd: folder, env, stdio: 'ignore' });
  }
}
