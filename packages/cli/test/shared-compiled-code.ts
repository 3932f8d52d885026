// What one process of the built command compiled serves those of other tests, as for a person whose home stays: otherwise
// each home has all of it compiled and stored anew.

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHARED = fileURLToPath(
  new URL('../../../node_modules/.cache/plugboard-compiled', import.meta.url),
);

/** For processes that keep their cache there. */
export function shareCompiledCode(cache: string): void {
  const own = join(cache, 'plugboard/compiled');
  if (existsSync(own)) return;
  mkdirSync(join(cache, 'plugboard'), { recursive: true });
  mkdirSync(SHARED, { recursive: true, mode: 0o700 });
  symlinkSync(SHARED, own);
}
