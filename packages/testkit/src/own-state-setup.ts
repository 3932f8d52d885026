// A vitest setup file: gives each test file its own state and cache. Otherwise hosts without a given environment would
// store pins and catalogues with those of the user, and confuse a server with one that an earlier test had at the same
// port.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'plugboard-test-'));
process.env['XDG_STATE_HOME'] = join(folder, 'state');
process.env['XDG_CACHE_HOME'] = join(folder, 'cache');

afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
