// The files of one repository, split into chunks, with the vectors of their signatures. Vectors are cached in a
// temporary folder by embedder and signature.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChunkedFile, Chunker, type Embedder, listFiles } from '@plugboard/codebase';

export interface CorpusFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly text: string;
  readonly chunked: ChunkedFile;
}

const MOST_BYTES = 1_000_000;
const BATCH = 256;
const NUL = '\0';

/** Every file that is text and not huge, in order of paths. */
export async function readCorpus(root: string): Promise<readonly CorpusFile[]> {
  const chunker = new Chunker();
  const files: CorpusFile[] = [];
  try {
    for await (const { path, size, mtimeMs } of listFiles(
      { path: root },
      new AbortController().signal,
    )) {
      if (size > MOST_BYTES) continue;
      const text = readFileSync(join(root, path), 'utf8');
      if (text.includes(NUL)) continue;
      files.push({ path, size, mtimeMs, text, chunked: await chunker.chunk({ path, text }) });
    }
  } finally {
    await chunker.close();
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The vector of each signature, by its hash. */
export async function vectorsOf(
  signatures: readonly string[],
  embedder: Embedder,
): Promise<ReadonlyMap<string, Float32Array>> {
  const cache = new VectorCache(embedder);
  const missing = [...new Set(signatures)].filter(
    (signature) => !cache.vectors.has(hashOf(signature)),
  );
  for (let from = 0; from < missing.length; from += BATCH) {
    const batch = missing.slice(from, from + BATCH);
    const vectors = await embedder.embedDocuments(batch);
    batch.forEach((signature, index) => cache.vectors.set(hashOf(signature), vectors[index]!));
  }
  if (missing.length > 0) cache.save();
  return cache.vectors;
}

class VectorCache {
  readonly vectors: Map<string, Float32Array>;
  readonly #file: string;

  constructor({ id, dimensions }: Embedder) {
    const folder = join(tmpdir(), 'plugboard-bench-search');
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${hashOf(`${id} ${dimensions}`)}.bin`);
    this.vectors = read(this.#file, dimensions);
  }

  save(): void {
    const parts = [...this.vectors].flatMap(([hash, vector]) => [
      Buffer.from(hash, 'hex'),
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    ]);
    writeFileSync(this.#file, Buffer.concat(parts));
  }
}

function read(file: string, dimensions: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return vectors; // The first run has none.
  }
  const size = 16 + dimensions * 4;
  for (let at = 0; at + size <= bytes.length; at += size) {
    const values = Uint8Array.prototype.slice.call(bytes, at + 16, at + size);
    vectors.set(bytes.toString('hex', at, at + 16), new Float32Array(values.buffer));
  }
  return vectors;
}
