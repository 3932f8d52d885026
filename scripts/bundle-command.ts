// Puts the command and all it needs into a few files under packages/cli/bundle. Loading hundreds of
// small modules was most of the time that the command took to start; see docs/decisions. The library
// is published as it is compiled; only the command is bundled.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const CLI = fileURLToPath(new URL('../packages/cli', import.meta.url));
const BUNDLE = join(CLI, 'bundle');
/** Of so many of the parts that are loaded on demand. With fewer, `list` would load what it does not need. */
const SHARED_BY = 28;

await using bundle = await rolldown({
  input: { main: join(CLI, 'dist/main.js') },
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  // The command passes images on as they are.
  external: [/^node:/, 'sharp'],
  logLevel: 'warn',
});
rmSync(BUNDLE, { recursive: true, force: true });
const { output } = await bundle.write({
  dir: BUNDLE,
  // Loaded without the detours of the ES module loader, which cost more than the code itself.
  format: 'cjs',
  minify: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  // What nearly all commands load anyway is one file: to find and open a file takes longer than to
  // compile the few lines in it.
  codeSplitting: { groups: [{ name: 'shared', minShareCount: SHARED_BY }] },
});
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync(join(BUNDLE, 'THIRD-PARTY-LICENSES.txt'), licencesOf(modules));

/** The licence texts of every package that is part of the bundle, as the licences ask for. */
function licencesOf(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => packageFolderOf(file) ?? []));
  return [...folders]
    .toSorted()
    .map((folder) => `${titleOf(folder)}\n\n${licenceOf(folder)}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function packageFolderOf(file: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function titleOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  return `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`;
}

function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim();
  const above = join(dirname(folder), 'LICENSE');
  if (existsSync(above)) return readFileSync(above, 'utf8').trim();
  // Some packages name their licence in the manifest and ship no text of it.
  return '(the package ships no licence text)';
}
