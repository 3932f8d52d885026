// Builds the page of the console into packages/console/bundle, unless it was built from the same files before. See
// docs/decisions/0077-page-of-the-console.md.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesUnder, repositoryRoot } from '../tooling/source/files.ts';

const CONSOLE = join(repositoryRoot, 'packages/console');
const BUNDLE = join(CONSOLE, 'bundle');
/** The first versions that support `light-dark()` and `@property`. */
const BROWSERS = ['chrome125', 'firefox128', 'safari17.5'];
const FIRST_VIEW =
  /packages[\\/]console[\\/]src[\\/](?:feed|frame|servers|store|text|ui)[\\/]|node_modules[\\/]@?preact[\\/]/;
/** In the output of the compiler, since the whole bundle is published. */
const STAMP = join(CONSOLE, 'dist/.bundled-from');

const inputs = digestOfInputs();
const isCurrent = existsSync(join(BUNDLE, 'index.html')) && stamped() === inputs;
if (!isCurrent) {
  await build();
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, inputs);
}

/** A digest of all inputs; the lock file stands for the libraries. */
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
  // Loaded here, since most builds find the page up to date.
  const { build: viteBuild } = await import('vite');
  await viteBuild({
    root: CONSOLE,
    configFile: false,
    envDir: false,
    publicDir: false,
    // The page may be mounted at any path.
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: BUNDLE,
      emptyOutDir: true,
      target: BROWSERS,
      // No `data:` URLs, which the policy forbids for scripts and styles.
      assetsInlineLimit: 0,
      // The target browsers support `modulepreload`.
      modulePreload: { polyfill: false },
      license: { fileName: 'THIRD-PARTY-LICENSES.md' },
      rolldownOptions: {
        // The page uses only parts of base without Node; the rest is dropped, with its imports.
        external: /^node:/,
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
          // One file for the first view.
          codeSplitting: { groups: [{ name: 'first-view', test: FIRST_VIEW }] },
        },
      },
    },
  });
}
