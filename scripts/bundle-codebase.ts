// Bundles the program `plugboard-codebase` into a few files under packages/codebase/bundle, since loading its 370
// modules took twice as long as running it. The library is published as compiled, and the server starts its programs
// from `dist`.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { contentOf, licencesOf, replaceFiles } from './bundle-files.ts';

const CODEBASE = fileURLToPath(new URL('../packages/codebase', import.meta.url));
/** As deep as the modules in `dist`, since they find the files of the package by relative paths. */
const FOLDER = 'program';

await using bundle = await rolldown({
  input: { main: join(CODEBASE, 'dist/main.js') },
  platform: 'node',
  // Native code, and packages that read their own files.
  external: [
    /^node:/,
    'libsql',
    'web-tree-sitter',
    '@parcel/watcher',
    '@vscode/ripgrep',
    '@plugboard/static-model',
  ],
  logLevel: 'warn',
});
const { output } = await bundle.generate({
  format: 'esm',
  minify: true,
  entryFileNames: `${FOLDER}/[name].mjs`,
  chunkFileNames: `${FOLDER}/[name]-[hash].mjs`,
});
replaceFiles(
  join(CODEBASE, 'bundle'),
  new Map([
    ...output.map((file) => [file.fileName, contentOf(file)] as const),
    ['THIRD-PARTY-LICENSES.txt', licencesOf(output)],
  ]),
);
