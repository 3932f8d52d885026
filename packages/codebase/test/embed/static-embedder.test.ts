import { truncate, cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Embedder, openEmbedder } from '../../src/embed/index.ts';

const PACKAGE = dirname(
  createRequire(import.meta.url).resolve('@plugboard/static-model/package.json'),
);
const DOCUMENTS = [
  'auth password. hash password, verify password. derive a key from a password with scrypt and a random salt. salt, key, buffer, timing safe equal',
  'net retry. retry with backoff. wait longer after each failed attempt, with jitter. attempt, delay, max attempts, sleep',
  'parser json pointer. parse pointer. split a json pointer into its parts and decode escapes. tilde, slash, decode',
  'ui table column. sort rows. sort the rows of a table by a column. ascending, compare, column',
  'cache lru. least recently used cache. evict the oldest entry when the cache is full. capacity, map, evict',
];
const QUESTIONS: readonly (readonly [question: string, document: number])[] = [
  ['how are passwords hashed', 0],
  ['try a request again after it failed, waiting longer each time', 1],
  ['where do we decode the parts of a json path', 2],
  ['order table rows by clicking a header', 3],
  ['drop old entries when there are too many', 4],
];

async function open(modelFolder?: string): Promise<Embedder | string> {
  const ports = modelFolder === undefined ? {} : { modelFolder };
  const opened = await openEmbedder({ kind: 'embedded' }, ports);
  return opened.kind === 'none' ? opened.reason : opened.embedder;
}

async function table(): Promise<Embedder> {
  const embedder = await open();
  if (typeof embedder === 'string') throw new Error(embedder);
  return embedder;
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

describe('the embedded table of vectors', () => {
  verifies('COD-04', 'COD-12');

  it('returns one vector of length one for each text, and zeros for a text without words', async () => {
    const embedder = await table();
    const vectors = await embedder.embedDocuments([...DOCUMENTS, 'x'.repeat(100_000)]);
    expect(vectors.map(({ length }) => length)).toEqual(vectors.map(() => embedder.dimensions));
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    const [empty] = await embedder.embedDocuments(['\0 …']);
    expect(empty?.every((value) => value === 0)).toBe(true);
  });

  it('ranks the document that a question is about first', async () => {
    const embedder = await table();
    const documents = await embedder.embedDocuments(DOCUMENTS);
    for (const [question, expected] of QUESTIONS) {
      const vector = await embedder.embedQuery(question);
      const similarities = documents.map((document) => cosine(vector, document));
      const best = similarities.indexOf(Math.max(...similarities));
      expect([question, best]).toEqual([question, expected]);
    }
  });

  it('is not used when a file of it is damaged, and the reason says how to mend it', async () => {
    await using place = await tempFolder();
    await cp(PACKAGE, place.path, {
      recursive: true,
      filter: (path) => !/node_modules|dist|src|test/.test(path.slice(PACKAGE.length)),
    });
    await truncate(join(place.path, 'table.i8'), 4096);
    expect(await open(place.path)).toMatch(
      /table\.i8 is damaged: .*; fix: install @plugboard\/static-model again/,
    );
  });
});
