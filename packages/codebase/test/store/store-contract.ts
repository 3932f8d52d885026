// The contract of every store, as tests that run for each driver.

import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { found, hashOf, refOf, sampleFile } from './sample-files.ts';
import { unit } from './vectors.ts';

const EMBEDDER = 'test-embedder';

export interface ContractPlace {
  /** Opens a store for an empty tree. */
  open(): Promise<Store>;
}

const auth = sampleFile('src/auth.ts', [
  { words: 'sign in user token token', symbol: 'signIn' },
  { words: 'sign out user', symbol: 'signOut' },
]);
const parser = sampleFile('src/parse/json.py', [{ words: 'parse json text', symbol: 'parse' }], {
  language: 'python',
});

function vectorOf(words: string): Float32Array {
  const values = Array.from({ length: 32 }, (_, place) => ((place * 7919) % 13) / 40);
  for (const word of words.split(' ')) {
    const place = Number.parseInt(hashOf(word).slice(0, 4), 16) % 32;
    values[place] = (values[place] ?? 0) + 3;
  }
  return unit(values);
}

async function embedAll(store: Store, texts: readonly string[]): Promise<void> {
  const wanted = new Map(texts.map((text) => [hashOf(text), text]));
  const missing = await store.missingVectors(EMBEDDER, 1000);
  const vectors = missing.flatMap(({ signatureHash }) => {
    const text = wanted.get(signatureHash);
    return text === undefined ? [] : [{ signatureHash, vector: vectorOf(text) }];
  });
  await store.putVectors(EMBEDDER, vectors);
}

async function missingPaths(store: Store): Promise<string[]> {
  const missing = await store.missingVectors(EMBEDDER, 1000);
  return missing.map(({ path }) => path).toSorted();
}

export function storeContract(place: ContractPlace): void {
  describe('files in a store', () => {
    it('are listed as they were added', async () => {
      await using store = await place.open();
      const empty = sampleFile('empty.txt', [], { size: 0 });
      await store.apply({ put: [auth, parser, empty], remove: [] });
      const facts = ({ size, mtimeMs, hash }: typeof auth): object => ({ size, mtimeMs, hash });
      expect(new Map(await store.files())).toEqual(
        new Map([auth, parser, empty].map((file) => [file.path, facts(file)])),
      );
      expect(await store.state()).toMatchObject({ files: 3, chunks: 3, vectors: 0 });
      expect(store.role).toBe('writer');
    });

    it('stay until they are replaced or removed', async () => {
      await using store = await place.open();
      await store.apply({ put: [auth, parser], remove: [] });
      const next = sampleFile('src/auth.ts', [{ words: 'other words' }], { mtimeMs: 5 });
      await store.apply({ put: [next], remove: ['src/parse/json.py', 'never/there.ts'] });
      expect([...(await store.files())]).toEqual([
        ['src/auth.ts', { size: 100, mtimeMs: 5, hash: next.hash }],
      ]);
      expect(await found(store, 'sign parse other')).toEqual(['src/auth.ts:1']);
      expect(await store.state()).toMatchObject({ files: 1, chunks: 1 });
    });

    it('can get a new modification time with the same content', async () => {
      await using store = await place.open();
      await store.apply({ put: [auth], remove: [] });
      const touch = [{ path: 'src/auth.ts', size: 101, mtimeMs: 7 }];
      await store.apply({ put: [], remove: [], touch });
      expect((await store.files()).get('src/auth.ts')).toEqual({
        size: 101,
        mtimeMs: 7,
        hash: auth.hash,
      });
      expect(await found(store, 'token')).toEqual(['src/auth.ts:1']);
    });
  });

  describe('search by words', () => {
    it('returns complete chunks, the best first', async () => {
      await using store = await place.open();
      await store.apply({ put: [auth, parser], remove: [] });
      const hits = await store.lexical(
        [
          { term: 'token', weight: 1 },
          { term: 'user', weight: 1 },
        ],
        10,
      );
      expect(hits.map(({ chunk: { id: _id, ...chunk } }) => chunk)).toEqual([
        refOf(auth, 0),
        refOf(auth, 1),
      ]);
      expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? 0);
      expect(await found(store, 'user', 1)).toHaveLength(1);
      expect(await found(store, 'nowhere')).toEqual([]);
      expect(await store.lexical([], 10)).toEqual([]);
    });

    it('finds words of the path too', async () => {
      await using store = await place.open();
      await store.apply({ put: [auth, parser], remove: [] });
      expect(await found(store, 'json py')).toEqual(['src/parse/json.py:1']);
    });

    it('uses the weights of the terms', async () => {
      await using store = await place.open();
      await store.apply({ put: [auth, parser], remove: [] });
      const best = async (parse: number, token: number): Promise<string | undefined> => {
        const terms = [
          { term: 'parse', weight: parse },
          { term: 'token', weight: token },
        ];
        return (await store.lexical(terms, 1))[0]?.chunk.symbol;
      };
      expect([await best(9, 1), await best(1, 9)]).toEqual(['parse', 'signIn']);
    });

    it('finds only chunks within the given filters', async () => {
      await using store = await place.open();
      const twin = sampleFile('src/parser.ts', [{ words: 'parse other' }]);
      await store.apply({ put: [auth, parser, twin], remove: [] });
      const look = async (accepts: (path: string) => boolean): Promise<string[]> => {
        const hits = await store.lexical([{ term: 'parse', weight: 1 }], 1, accepts);
        return hits.map(({ chunk }) => chunk.path);
      };
      expect(await look((path) => path.endsWith('.py'))).toEqual(['src/parse/json.py']);
      expect(await look((path) => path === 'src/parser.ts')).toEqual(['src/parser.ts']);
      expect(await look(() => false)).toEqual([]);
    });
  });

  describe('search by vectors', () => {
    const texts = ['sign in user token token', 'sign out user', 'parse json text'];

    it('returns the chunks that have a vector, the nearest first, with the cosine', async () => {
      await using store = await place.open();
      await store.apply({ put: [auth, parser], remove: [] });
      expect(await missingPaths(store)).toEqual([
        'src/auth.ts',
        'src/auth.ts',
        'src/parse/json.py',
      ]);
      await embedAll(store, texts.slice(1));
      expect(await missingPaths(store)).toEqual(['src/auth.ts']);
      const near = await store.dense(EMBEDDER, vectorOf('parse json text'), 10);
      expect(near.map(({ chunk: { id: _id, ...chunk } }) => chunk)).toEqual([
        refOf(parser, 0),
        refOf(auth, 1),
      ]);
      expect(near[0]?.similarity).toBeGreaterThan(0.97);
      expect(near[0]?.similarity).toBeLessThanOrEqual(1.0001);
      expect(near[0]?.score).toBe(near[0]?.similarity);
      expect(await store.state(EMBEDDER)).toMatchObject({ chunks: 3, vectors: 2 });
    });

    it('finds only chunks within the given filters, and only of the same embedder', async () => {
      await using store = await place.open();
      await store.apply({ put: [auth, parser], remove: [] });
      await embedAll(store, texts);
      const query = vectorOf('parse json text');
      const near = await store.dense(EMBEDDER, query, 10, (path) => path === 'src/auth.ts');
      expect(near.map(({ chunk }) => chunk.path)).toEqual(['src/auth.ts', 'src/auth.ts']);
      expect(await store.dense('another', query, 10)).toEqual([]);
    });

    it('needs no new vector for a chunk that moved or exists twice', async () => {
      await using store = await place.open();
      await store.apply({ put: [auth], remove: [] });
      await embedAll(store, texts);
      const moved = sampleFile('lib/moved.ts', [{ words: 'sign out user' }, { words: 'new one' }]);
      await store.apply({ put: [moved, { ...auth, path: 'copy.ts' }], remove: ['src/auth.ts'] });
      expect(await missingPaths(store)).toEqual(['lib/moved.ts']);
      expect(await store.state(EMBEDDER)).toMatchObject({ chunks: 4, vectors: 3 });
    });

    it('requests the vectors of the most important chunks first', async () => {
      await using store = await place.open();
      const test = { ...auth.traits, isTest: true };
      const of = (path: string, more: object): ReturnType<typeof sampleFile> =>
        sampleFile(path, [{ words: path }], more);
      const old = 1_600_000_000_000;
      await store.apply({
        put: [
          of('docs/readme.md', { mtimeMs: old }),
          of('test/a.test.ts', { mtimeMs: old, traits: test }),
          of('src/a.ts', { mtimeMs: old }),
          of('test/edited.test.ts', { traits: test }),
        ],
        remove: [],
      });
      expect((await store.missingVectors(EMBEDDER, 3)).map(({ path }) => path)).toEqual([
        'test/edited.test.ts',
        'src/a.ts',
        'docs/readme.md',
      ]);
    });
  });
}
