// Builds the page of the console into packages/console/bundle, unless it was built from the same files before. The page
// is served as it is: see docs/decisions/0077-page-of-the-console.md.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesUnder, repositoryRoot } from '../tooling/source/files.ts';

const CONSOLE = join(repositoryRoot, 'packages/console');
const BUNDLE = join(CONSOLE, 'bundle');
/** Those that know `light-dark()` and `@property`. */
const BROWSERS = ['chrome125', 'firefox128', 'safari17.5'];
const FIRST_VIEW =
  /packages[\\/]console[\\/]src[\\/](?:feed|frame|servers|store|text|ui)[\\/]|node_modules[\\/]@?preact[\\/]/;
/** Beside what the compiler makes, since all of the bundle is published. */
const STAMP = join(CONSOLE, 'dist/.bundled-from');

const inputs = digestOfInputs();
const isCurrent = existsSync(join(BUNDLE, 'index.html')) && stamped() === inputs;
if (!isCurrent) {
  await build();
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, inputs);
}

/** Of all that the page is made from; the lock file stands for the libraries. */
function digestOfInputs(): string {
  const files = [
    ...filesUnder('packages/console/src', ''),
    'packages/console/index.html',
    'packages/console/tsconfig.json',
    'scripts/bundle-console.ts',
    'package-lock.json',
  ];
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${file}\0`).update(readFileSync(join(repositoryRoot, file)));
  }
  return hash.digest('hex');
}

function stamped(): string | undefined {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : undefined;
}

async function build(): Promise<void> {
  // Most builds find the page as it is, and need none of this.
  const { build: viteBuild } = await import('vite');
  await viteBuild({
    root: CONSOLE,
    configFile: false,
    envDir: false,
    publicDir: false,
    // Wherever the page is mounted.
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: BUNDLE,
      emptyOutDir: true,
      target: BROWSERS,
      // A policy without `data:` for scripts and styles: every file is a file.
      assetsInlineLimit: 0,
      // Browsers that the target names load modules ahead by themselves.
      modulePreload: { polyfill: false },
      license: { fileName: 'THIRD-PARTY-LICENSES.md' },
      rolldownOptions: {
        // Of base, the page uses what needs no Node; the rest is left out, and what it would import with it.
        external: /^node:/,
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
          // One file for all that the first view needs.
          codeSplitting: { groups: [{ name: 'first-view', test: FIRST_VIEW }] },
        },
      },
    },
  });
}
