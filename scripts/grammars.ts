// `npm run grammars`: compares the grammars in packages/codebase/grammars with the packages of their origin; with
// `--write`, copies them again. See docs/decisions/0108-grammars-in-the-package.md.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { repositoryRoot } from '../tooling/source/files.ts';

const FOLDER = join(repositoryRoot, 'packages/codebase/grammars');

interface Source {
  /** The package and version, for npm. */
  readonly from: string;
  /** The path of a grammar in the package, with `*` for its name. */
  readonly path: string;
  /** The names of grammars; after a colon, the name in the package. */
  readonly names: readonly string[];
}

const SOURCES: readonly Source[] = [
  {
    from: '@vscode/tree-sitter-wasm@0.3.1',
    path: 'wasm/tree-sitter-*.wasm',
    names: [
      'bash',
      'cpp',
      'csharp:c-sharp',
      'css',
      'go',
      'ini',
      'java',
      'javascript',
      'php',
      'powershell',
      'python',
      'ruby',
      'rust',
      'tsx',
      'typescript',
    ],
  },
  {
    from: '@repomix/tree-sitter-wasms@0.1.17',
    path: 'out/tree-sitter-*.wasm',
    names: ['c', 'dart', 'solidity', 'swift'],
  },
  {
    from: '@tree-sitter-grammars/tree-sitter-kotlin@1.1.0',
    path: 'tree-sitter-*.wasm',
    names: ['kotlin'],
  },
  {
    from: '@tree-sitter-grammars/tree-sitter-lua@0.4.1',
    path: 'tree-sitter-*.wasm',
    names: ['lua'],
  },
  { from: 'tree-sitter-scala@0.24.0', path: 'tree-sitter-*.wasm', names: ['scala'] },
  { from: 'tree-sitter-wasm@2.0.2', path: 'out/sql/tree-sitter-*.wasm', names: ['sql'] },
  { from: 'tree-sitter-elixir@0.3.5', path: 'tree-sitter-*.wasm', names: ['elixir'] },
];

const isWriting = process.argv.includes('--write');
const differing = SOURCES.flatMap((source) => (isWriting ? write(source) : compare(source)));
for (const name of differing) console.error(`${name}: not the grammar of its package`);
if (differing.length > 0) {
  console.error('`npm run grammars -- --write` takes them anew.');
  process.exitCode = 1;
} else {
  console.log(isWriting ? 'the grammars are written' : 'the grammars are those of their packages');
}

function write(source: Source): readonly string[] {
  withGrammars(source, (name, grammar) => {
    const packed = brotliCompressSync(grammar, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      },
    });
    writeFileSync(fileOf(name), packed);
  });
  return [];
}

function compare(source: Source): readonly string[] {
  const differs: string[] = [];
  withGrammars(source, (name, grammar) => {
    const file = fileOf(name);
    const isSame = existsSync(file) && brotliDecompressSync(readFileSync(file)).equals(grammar);
    if (!isSame) differs.push(name);
  });
  return differs;
}

function withGrammars(
  { from, path, names }: Source,
  use: (name: string, grammar: Buffer) => void,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-grammars-'));
  try {
    const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', from], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['xzf', packed.trim()], { cwd: folder });
    for (const name of names) {
      const [own = name, theirs = own] = name.split(':');
      use(own, readFileSync(join(folder, 'package', path.replace('*', theirs))));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fileOf(name: string): string {
  return join(FOLDER, `${name}.wasm.br`);
}
