// Removes compiled files from every dist whose source was deleted or moved. The compiler does not remove them, and they
// would be packed.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { foldersIn, repositoryRoot } from '../tooling/source/files.ts';

const OUTPUT = /\.(?:js|d\.ts)(?:\.map)?$/;

for (const name of foldersIn('packages', repositoryRoot)) {
  const folder = join(repositoryRoot, 'packages', name);
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) continue;
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!OUTPUT.test(file)) continue;
    const source = join(folder, 'src', file.replace(OUTPUT, '.ts'));
    if (!existsSync(source) && !existsSync(`${source}x`)) rmSync(join(dist, file));
  }
}
