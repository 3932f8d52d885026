// Runs first, and makes the chunks of the bundle load with the code that an earlier start compiled from them.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownHome, userPaths } from '@plugboard/base/platform';
import { compiledCode } from './compiled-code.ts';

const bundle = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

// The variable also disables Node's own cache.
if (process.env['NODE_DISABLE_COMPILE_CACHE'] === undefined) {
  const { load, store } = compiledCode(
    {
      chunks: join(bundle, 'chunks'),
      folder: join(userPaths(process.env, process.platform, ownHome()).cache, 'compiled'),
      edition: `${process.version}-${process.arch}`,
      user: process.geteuid?.(),
      process: process.pid,
    },
    require.extensions['.js'],
  );
  require.extensions['.cjs'] = load;
  process.once('exit', store);
}
