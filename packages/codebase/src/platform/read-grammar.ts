// Reads a tree-sitter grammar of this package: WebAssembly, compressed to a twentieth of its size.

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const decompress = promisify(brotliDecompress);

export async function readGrammar(name: string): Promise<Uint8Array> {
  // `src` and `dist` are siblings, so the path is the same from both.
  const file = new URL(`../../grammars/${name}.wasm.br`, import.meta.url);
  return decompress(await readFile(file));
}
