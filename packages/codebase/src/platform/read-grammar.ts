// Grammars of tree-sitter, as they lie in this package: WebAssembly, compressed to a twentieth of its size.

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const decompress = promisify(brotliDecompress);

export async function readGrammar(name: string): Promise<Uint8Array> {
  // `src` and `dist` lie side by side, so the way is the same from both.
  const file = new URL(`../../grammars/${name}.wasm.br`, import.meta.url);
  return decompress(await readFile(file));
}
