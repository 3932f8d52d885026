// Bundles the program `plugboard-codebase`, and the programs that the code search starts, into a few files under
// packages/codebase/bundle, since loading their modules took longer than running them. The library is published as
// compiled.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { type BundledFile, contentOf, licencesOf, replaceFiles } from './bundle-files.ts';

const CODEBASE = fileURLToPath(new URL('../packages/codebase', import.meta.url));
/** As deep as the modules in `dist`, since they find the files of the package by relative paths. */
const FOLDER = 'program';

/** Started as processes by the files that name them. */
const STARTED = {
  'reading-program': 'indexing/reading-program.js',
  'chunk-worker': 'chunk/worker.js',
  'trigram-worker': 'text/trigram-worker.js',
  'structure-program': 'structure/structure-program.js',
};

const output = [
  ...(await bundled({ main: 'main.js' })),
  // Each alone: one file starts faster than a few that share modules.
  ...(
    await Promise.all(
      Object.entries(STARTED).map(async ([name, file]) => bundled({ [name]: file })),
    )
  ).flat(),
];
replaceFiles(
  join(CODEBASE, 'bundle'),
  new Map([
    ...output.map((file) => [file.fileName, contentOf(file)] as const),
    ['THIRD-PARTY-LICENSES.txt', licencesOf(output)],
  ]),
);

async function bundled(input: Readonly<Record<string, string>>): Promise<readonly BundledFile[]> {
  const files = Object.entries(input).map(([name, file]) => [name, join(CODEBASE, 'dist', file)]);
  await using bundle = await rolldown({
    input: Object.fromEntries(files) as Record<string, string>,
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
  const { output: written } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: `${FOLDER}/[name].mjs`,
    chunkFileNames: `${FOLDER}/[name]-[hash].mjs`,
  });
  return written;
}
