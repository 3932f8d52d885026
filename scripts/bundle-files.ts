// Replaces the files of a bundle, and collects the licences of the bundled packages.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import type { RolldownOutput } from 'rolldown';

export type BundledFile = RolldownOutput['output'][number];

export function contentOf(file: BundledFile): string | Uint8Array {
  return file.type === 'chunk' ? file.code : file.source;
}

/**
 * A running program loads most of these files only when it needs them, so no file may be missing or incomplete:
 * unchanged files stay, and obsolete ones are removed last.
 */
export function replaceFiles(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): void {
  for (const [name, content] of files) {
    const path = join(folder, name);
    const bytes = Buffer.from(content);
    if (existsSync(path) && readFileSync(path).equals(bytes)) continue;
    mkdirSync(dirname(path), { recursive: true });
    const beside = `${path}.${process.pid}`;
    writeFileSync(beside, bytes);
    renameSync(beside, path);
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join(posix.sep);
    // Temporary files may belong to another build.
    const isBeside = /\.\d+$/.test(name);
    if (!entry.isDirectory() && !isBeside && !files.has(name)) rmSync(path, { force: true });
  }
}

/** The licence texts of all bundled packages, as the licences require. */
export function licencesOf(output: readonly BundledFile[]): string {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const folders = new Set(modules.flatMap((module) => packageFolderOf(module) ?? []));
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
  // Some packages name their licence only in the manifest.
  return '(the package ships no licence text)';
}
