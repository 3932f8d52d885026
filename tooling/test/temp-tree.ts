// A temporary folder with given files in it, removed on disposal.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TempTree extends Disposable {
  readonly root: string;
  write(files: Readonly<Record<string, string>>): void;
}

export function tempTree(files: Readonly<Record<string, string>>): TempTree {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'plugboard-tooling-'));
  const write: TempTree['write'] = (added) => {
    for (const [path, text] of Object.entries(added)) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  };
  write(files);
  return {
    root,
    write,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
