// Puts the program `plugboard-codebase` into a few files under packages/codebase/bundle: to load its 370 modules took twice
// as long as to run it. The library is published as it is compiled, and the programs that the server starts are those in
// `dist`.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { contentOf, licencesOf, replaceFiles } from './bundle-files.ts';

const CODEBASE = fileURLToPath(new URL('../packages/codebase', import.meta.url));
/** As deep as the modules are in `dist`, which find the files of the package from where they are. */
const FOLDER = 'program';

await using bundle = await rolldown({
  input: { main: join(CODEBASE, 'dist/main.js') },
  platform: 'node',
  // Native code, and packages that read files of their own.
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
