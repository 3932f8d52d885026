// Shares the compiled code of the built command between tests. Otherwise it would be compiled and stored again for each home.

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHARED = fileURLToPath(
  new URL('../../../node_modules/.cache/plugboard-compiled', import.meta.url),
);

/** The environment of processes that use the shared cache. */
export function shareCompiledCode(cache: string): void {
  const own = join(cache, 'plugboard/compiled');
  if (existsSync(own)) return;
  mkdirSync(join(cache, 'plugboard'), { recursive: true });
  mkdirSync(SHARED, { recursive: true, mode: 0o700 });
  symlinkSync(SHARED, own);
}
