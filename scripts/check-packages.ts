// Checks the published packages: packs all at once, then checks the metadata of each (publint) and the resolution of
// its types as an ES module (are the types wrong). Fails if any package has a problem.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { foldersIn, repositoryRoot } from '../tooling/source/files.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Module resolutions that the packages do not support. */
const NOT_SERVED: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);

const packages = foldersIn('packages', repositoryRoot)
  .map((name) => manifestIn(join(repositoryRoot, 'packages', name)))
  .filter((manifest) => manifest.private !== true);

const packed = mkdtempSync(join(tmpdir(), 'plugboard-packed-'));
try {
  const tarballs = packInto(packed);
  let wrong = 0;
  for (const manifest of packages) {
    const { name } = manifest;
    const tarball = readFileSync(join(packed, tarballs.get(name) ?? ''));
    const problems = [
      ...(await metadataProblems(tarball)),
      ...(hasTypes(manifest) ? await typeProblems(tarball) : []),
    ];
    console.log(`${problems.length === 0 ? 'ok   ' : 'WRONG'} ${name}`);
    for (const problem of problems) console.error(`  ${problem}`);
    wrong += problems.length;
  }
  if (wrong > 0) process.exitCode = 1;
} finally {
  rmSync(packed, { recursive: true, force: true });
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function hasTypes({ exports }: Manifest): boolean {
  return JSON.stringify(exports?.['.'] ?? '').includes('"types"');
}

/** The names of the files, by those of the packages. */
function packInto(folder: string): ReadonlyMap<string, string> {
  const chosen = packages.map(({ name }) => `--workspace=${name}`);
  const args = ['pack', '--json', '--ignore-scripts', `--pack-destination=${folder}`, ...chosen];
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const made = JSON.parse(stdout) as readonly { name: string; filename: string }[];
  return new Map(made.map(({ name, filename }) => [name, filename]));
}

async function metadataProblems({ buffer }: Buffer): Promise<readonly string[]> {
  // `readFileSync` returns a buffer of its own for a whole file.
  const tarball = buffer as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball }, level: 'error' });
  return messages.map((message) => formatMessage(message, pkg) ?? message.code);
}

async function typeProblems(tarball: Uint8Array): Promise<readonly string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (analysis.types === false) return ['it has no types'];
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem && NOT_SERVED.has(problem.resolutionKind)))
    .map((problem) => JSON.stringify(problem));
}
