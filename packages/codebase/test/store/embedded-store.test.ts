import { appendFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@plugboard/base';
import { ManualClock, type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSqlite, type OpenDatabase } from '../../src/platform/index.ts';
import { EmbeddedStore, type EmbeddedStoreOptions } from '../../src/store/index.ts';
import { found, hashOf, sampleFile } from './sample-files.ts';
import { storeContract } from './store-contract.ts';
import { clusteredVectors } from './vectors.ts';

const EMBEDDER = 'test-embedder';
const one = sampleFile('src/one.ts', [{ words: 'alpha beta' }, { words: 'gamma' }]);
const two = sampleFile('src/two.ts', [{ words: 'beta delta' }]);
const INDEX = 'index-6.db';

let base: TempFolder;
let sqlite: OpenDatabase;
let folders = 0;

beforeAll(async () => {
  base = await tempFolder();
  const loaded = await loadSqlite();
  if (!loaded.ok) throw new Error(loaded.error);
  sqlite = loaded.value;
});
afterAll(() => base[Symbol.asyncDispose]());

function newFolder(): string {
  folders += 1;
  return join(base.path, `index-${folders}`);
}

async function wordFilesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.seg'));
}

/** The files of vectors. */
async function vectorFilesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.bin'));
}

function open(folder: string, more: Partial<EmbeddedStoreOptions> = {}): Promise<EmbeddedStore> {
  return EmbeddedStore.open({ folder, open: sqlite, clock: systemClock, ...more });
}

describe('the embedded store on a disk', () => {
  storeContract({ open: () => open(newFolder()) });
});

describe('the embedded store in memory', () => {
  storeContract({
    open: () => EmbeddedStore.open({ folder: undefined, open: sqlite, clock: systemClock }),
  });
});

describe('the embedded store', () => {
  verifies('COD-06');

  it('orders equal scores by path, whatever the order in which files were added', async () => {
    const files = ['d', 'b', 'a', 'e', 'c'].map((name) =>
      sampleFile(`${name}.ts`, [{ words: 'same words' }, { words: 'same other' }]),
    );
    const [vector = new Float32Array(0)] = clusteredVectors({ seed: 1, count: 1, dimensions: 48 });
    for (const put of [files, files.toReversed()]) {
      await using store = await open(newFolder());
      for (const file of put) await store.apply({ put: [file], remove: [] });
      await store.putVectors(EMBEDDER, [
        { signatureHash: hashOf('same words'), vector },
        { signatureHash: hashOf('same other'), vector },
      ]);
      expect(await found(store, 'same', 3)).toEqual(['a.ts:1', 'a.ts:11', 'b.ts:1']);
      const near = await store.dense(EMBEDDER, vector, 3);
      expect(near.map(({ chunk }) => `${chunk.path}:${chunk.startLine}`)).toEqual([
        ...['a.ts:1', 'a.ts:11', 'b.ts:1'],
      ]);
    }
  });

  it('contains everything after it is reopened', async () => {
    const folder = newFolder();
    const [vector = new Float32Array(0)] = clusteredVectors({ seed: 1, count: 1, dimensions: 48 });
    const before = await open(folder);
    const empty = sampleFile('empty.txt', []);
    await before.apply({ put: [one, two, empty], remove: [] });
    await before.apply({ put: [], remove: ['src/two.ts'] });
    await before.putVectors(EMBEDDER, [{ signatureHash: hashOf('gamma'), vector }]);
    const files = await before.files();
    const near = await before.dense(EMBEDDER, vector, 5);
    await before[Symbol.asyncDispose]();
    await using after = await open(folder);
    expect(await after.files()).toEqual(files);
    expect(await found(after, 'beta gamma')).toEqual(['src/one.ts:11', 'src/one.ts:1']);
    expect(await after.dense(EMBEDDER, vector, 5)).toEqual(near);
    expect(near).toHaveLength(1);
    expect(await after.state()).toMatchObject({ files: 2, chunks: 2, vectors: 1, notes: [] });
  });

  it('keeps vectors of removed chunks, so that returning to a branch costs nothing', async () => {
    const folder = newFolder();
    const vectors = clusteredVectors({ seed: 1, count: 3, dimensions: 32 });
    const texts = ['alpha beta', 'gamma', 'beta delta'];
    const before = await open(folder);
    await before.apply({ put: [one, two], remove: [] });
    await before.putVectors(
      EMBEDDER,
      vectors.map((vector, n) => ({ signatureHash: hashOf(texts[n] ?? ''), vector })),
    );
    await before.apply({ put: [], remove: ['src/one.ts', 'src/two.ts'] });
    expect(await before.state()).toMatchObject({ chunks: 0, vectors: 0 });
    await before[Symbol.asyncDispose]();
    await using after = await open(folder);
    await after.apply({ put: [two, { ...one, path: 'renamed.ts' }], remove: [] });
    expect(await after.missingVectors(EMBEDDER, 10)).toEqual([]);
    expect(await after.state(EMBEDDER)).toMatchObject({ chunks: 3, vectors: 3 });
  });

  it('keeps a bounded number of unused vectors', async () => {
    const folder = newFolder();
    const [vector = new Float32Array(0)] = clusteredVectors({ seed: 1, count: 1, dimensions: 8 });
    const filesOf = (name: string): ReturnType<typeof sampleFile>[] =>
      Array.from({ length: 30 }, (_, n) =>
        sampleFile(
          `${name}${n}.ts`,
          Array.from({ length: 200 }, (__, chunk) => ({ words: `${name} ${n} ${chunk}` })),
        ),
      );
    const vectorsOf = (
      files: ReturnType<typeof filesOf>,
    ): { signatureHash: string; vector: Float32Array }[] =>
      files.flatMap(({ chunks }) => chunks.map(({ signatureHash }) => ({ signatureHash, vector })));
    const [old, next] = [filesOf('old'), filesOf('next')];
    const before = await open(folder);
    await before.apply({ put: old, remove: [] });
    await before.putVectors(EMBEDDER, vectorsOf(old));
    await before.apply({ put: next, remove: old.map(({ path }) => path) });
    await before.putVectors(EMBEDDER, vectorsOf(next));
    await before[Symbol.asyncDispose]();
    await using after = await open(folder);
    expect(await after.state(EMBEDDER)).toMatchObject({ chunks: 6000, vectors: 6000, notes: [] });
    await after.apply({ put: old, remove: [] });
    // Of the 6,000 removed ones, 4,096 were kept.
    expect(await after.state(EMBEDDER)).toMatchObject({ chunks: 12_000, vectors: 6000 + 4096 });
    expect(await after.missingVectors(EMBEDDER, 12_000)).toHaveLength(6000 - 4096);
  });

  it('moves vectors to a smaller file when most of those on the disk are forgotten, and a second process follows', async () => {
    const folder = newFolder();
    const clock = new ManualClock();
    const [vector = new Float32Array(0)] = clusteredVectors({ seed: 1, count: 1, dimensions: 8 });
    await using writer = await open(folder, { clock });
    await using reader = await open(folder, { clock });
    const kept = sampleFile('kept.ts', [{ words: 'kept' }]);
    const near = clusteredVectors({ seed: 7, count: 1, dimensions: 8 });
    await writer.apply({ put: [kept], remove: [] });
    await writer.putVectors(EMBEDDER, [
      { signatureHash: hashOf('kept'), vector: near[0] ?? vector },
    ]);
    const before = (await vectorFilesIn(folder)).toSorted();
    await reader.state(EMBEDDER);
    for (let round = 0; round < 3; round += 1) {
      const texts = Array.from({ length: 4100 }, (_, n) => `${round} ${n}`);
      await writer.putVectors(
        EMBEDDER,
        texts.map((text) => ({ signatureHash: hashOf(text), vector })),
      );
    }
    expect((await vectorFilesIn(folder)).toSorted()).not.toEqual(before);
    expect(await vectorFilesIn(folder)).toHaveLength(1);
    await clock.advance(250);
    for (const store of [writer, reader]) {
      const [hit] = await store.dense(EMBEDDER, near[0] ?? vector, 1);
      expect([hit?.chunk.path, (hit?.similarity ?? 0) > 0.95]).toEqual(['kept.ts', true]);
    }
    const { bytes = 0 } = await writer.state(EMBEDDER);
    expect(bytes).toBeLessThan(10_000 * 16 + 100_000);
  });

  it('overwrites vectors that a killed process left without counting them', async () => {
    const folder = newFolder();
    const vectors = clusteredVectors({ seed: 1, count: 2, dimensions: 32 });
    const [first = new Float32Array(0), second = new Float32Array(0)] = vectors;
    const before = await open(folder);
    await before.apply({ put: [one], remove: [] });
    await before.putVectors(EMBEDDER, [{ signatureHash: hashOf('gamma'), vector: first }]);
    await before[Symbol.asyncDispose]();
    const [name = ''] = await vectorFilesIn(folder);
    await appendFile(join(folder, name), Buffer.alloc(1000, 7));
    const after = await open(folder);
    await after.putVectors(EMBEDDER, [{ signatureHash: hashOf('alpha beta'), vector: second }]);
    await after[Symbol.asyncDispose]();
    await using last = await open(folder);
    expect(await last.missingVectors(EMBEDDER, 5)).toEqual([]);
    const [hit] = await last.dense(EMBEDDER, second, 1);
    expect([hit?.chunk.startLine, (hit?.similarity ?? 0) > 0.95]).toEqual([1, true]);
  });

  it.each([
    ['missing', (path: string): Promise<void> => rm(path)],
    ['too short', (path: string): Promise<void> => truncate(path, 10)],
  ])('requests all vectors again when their file is %s', async (_, damage) => {
    const folder = newFolder();
    const [vector = new Float32Array(0)] = clusteredVectors({ seed: 1, count: 1, dimensions: 32 });
    const gamma = { signatureHash: hashOf('gamma'), vector };
    const before = await open(folder);
    await before.apply({ put: [one], remove: [] });
    await before.putVectors(EMBEDDER, [gamma]);
    await before[Symbol.asyncDispose]();
    for (const name of await vectorFilesIn(folder)) await damage(join(folder, name));
    const after = await open(folder);
    expect(await after.missingVectors(EMBEDDER, 5)).toHaveLength(2);
    await after.putVectors(EMBEDDER, [gamma]);
    await after[Symbol.asyncDispose]();
    await using last = await open(folder);
    expect(await last.dense(EMBEDDER, vector, 5)).toHaveLength(1);
    expect(await vectorFilesIn(folder)).toHaveLength(1);
  });

  it('removes the file of an older version, which nothing reads any more', async () => {
    const folder = newFolder();
    await (await open(folder))[Symbol.asyncDispose]();
    await writeFile(join(folder, 'index-1.db'), 'of an older version');
    await (await open(folder))[Symbol.asyncDispose]();
    expect((await readdir(folder)).filter((name) => name.endsWith('.db'))).toEqual([INDEX]);
  });

  it('has one writer; a second process follows it and takes over when it ends', async () => {
    const folder = newFolder();
    const clock = new ManualClock();
    const vectors = clusteredVectors({ seed: 1, count: 2, dimensions: 32 });
    const writer = await open(folder, { clock });
    await writer.apply({ put: [one], remove: [] });
    await using reader = await open(folder, { clock });
    expect([writer.role, reader.role]).toEqual(['writer', 'reader']);
    expect(await found(reader, 'beta')).toEqual(['src/one.ts:1']);
    await expect(reader.apply({ put: [two], remove: [] })).rejects.toMatchObject({
      code: 'not-the-writer',
    });

    await reader.missingVectors(EMBEDDER, 1);
    await writer.apply({ put: [two], remove: ['src/one.ts'] });
    const [vector = new Float32Array(0)] = vectors;
    await writer.putVectors(EMBEDDER, [{ signatureHash: hashOf('beta delta'), vector }]);
    await clock.advance(250);
    expect(await found(reader, 'beta gamma')).toEqual(['src/two.ts:1']);
    expect(await reader.state(EMBEDDER)).toMatchObject({ files: 1, chunks: 1, vectors: 1 });
    expect(await reader.dense(EMBEDDER, vector, 5)).toHaveLength(1);

    const takeovers: string[] = [];
    reader.onWriter(() => takeovers.push(reader.role));
    await writer[Symbol.asyncDispose]();
    await clock.advance(250);
    expect([takeovers, reader.role]).toEqual([['writer'], 'writer']);
    await reader.apply({ put: [one], remove: [] });
    expect(await found(reader, 'gamma')).toEqual(['src/one.ts:11']);
    expect(clock.pending).toBe(0);
  });

  it('removes the files of merged segments, which another process can read until it follows', async () => {
    const folder = newFolder();
    const clock = new ManualClock();
    await using writer = await open(folder, { clock });
    await writer.apply({ put: [one], remove: [] });
    await using reader = await open(folder, { clock });
    for (let round = 0; round < 40; round += 1) {
      const path = `src/file${round}.ts`;
      await writer.apply({ put: [sampleFile(path, [{ words: `word${round}` }])], remove: [] });
    }
    const before = (await wordFilesIn(folder)).length;
    for (const name of await wordFilesIn(folder)) {
      // As the writer does after a while.
      if (name === 'words-1.seg') await rm(join(folder, name));
    }
    expect(await found(reader, 'gamma')).toEqual(['src/one.ts:11']);
    await clock.advance(250);
    expect(await found(reader, 'word39')).toEqual(['src/file39.ts:1']);
    for (let round = 0; round < 3; round += 1) {
      await clock.advance(11_000);
      await writer.apply({ put: [two], remove: [] });
    }
    expect((await wordFilesIn(folder)).length).toBeLessThan(before);
    expect((await reader.state()).notes).toEqual([]);
  });

  it('stays the same however often files are added and removed', async () => {
    const folder = newFolder();
    const before = await open(folder);
    for (let round = 0; round < 120; round += 1) {
      const words = `common round${round} word${round % 7}`;
      const path = `src/file${round % 11}.ts`;
      await before.apply({
        put: [sampleFile(path, [{ words }])],
        remove: [`src/file${round % 5}.ts`],
      });
    }
    const hits = (await found(before, 'common', 50)).toSorted();
    await before[Symbol.asyncDispose]();
    await using after = await open(folder);
    expect((await found(after, 'common', 50)).toSorted()).toEqual(hits);
    expect(hits).toHaveLength((await after.files()).size);
  });
});

describe('a damaged index', () => {
  verifies('COD-06');

  async function damaged(damage: (bytes: Buffer) => Buffer): Promise<string> {
    const folder = newFolder();
    const store = await open(folder);
    const many = Array.from({ length: 60 }, (_, n) =>
      sampleFile(`src/file${n}.ts`, [{ words: `alpha word${n} ${hashOf(String(n))}` }]),
    );
    await store.apply({ put: many, remove: [] });
    await store[Symbol.asyncDispose]();
    const path = join(folder, INDEX);
    await writeFile(path, damage(await readFile(path)));
    return folder;
  }

  it.each([
    ['is not a database', (): Buffer => Buffer.from('this is no database'.repeat(400))],
    ['is truncated', (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - 6000)],
    [
      'is filled with zeros',
      (bytes: Buffer): Buffer =>
        Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096)]),
    ],
  ])('that %s is moved aside and rebuilt, with a note', async (_, damage) => {
    const folder = await damaged(damage);
    await using store = await open(folder);
    const { files, notes } = await store.state();
    expect(files).toBe(0);
    expect(notes).toEqual([expect.stringMatching(/^the index was damaged .* is built again/)]);
    await store.apply({ put: [one], remove: [] });
    expect(await found(store, 'gamma')).toEqual(['src/one.ts:11']);
    expect((await readFile(join(folder, `${INDEX}.damaged`))).length).toBeGreaterThan(0);
  });

  it.each([
    ['is missing', (path: string): Promise<void> => rm(path)],
    ['is truncated', (path: string): Promise<void> => truncate(path, 100)],
    [
      'has a wrong byte',
      async (path: string): Promise<void> => {
        const bytes = await readFile(path);
        bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 0xff;
        await writeFile(path, bytes);
      },
    ],
  ])('with a segment file that %s is moved aside and rebuilt, with a note', async (_, damage) => {
    const folder = await damaged((bytes) => bytes);
    const [name = ''] = await wordFilesIn(folder);
    await damage(join(folder, name));
    await using store = await open(folder);
    const { files, notes } = await store.state();
    expect(files).toBe(0);
    expect(notes).toEqual([expect.stringMatching(/^the index was damaged .* is built again/)]);
    await store.apply({ put: [one], remove: [] });
    expect(await found(store, 'gamma')).toEqual(['src/one.ts:11']);
    expect(await wordFilesIn(folder)).toHaveLength(1);
  });

  it('never yields wrong results and never fails because of single wrong bytes', async () => {
    for (let at = 4200; at < 40_000; at += 2311) {
      const folder = await damaged((bytes) => {
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
        return bytes;
      });
      await using store = await open(folder);
      for (const hit of await found(store, 'alpha', 100))
        expect(hit).toMatch(/^src\/file\d+\.ts:1$/);
      await store.apply({ put: [one], remove: [] });
      expect(await found(store, 'gamma')).toEqual(['src/one.ts:11']);
    }
  });
});

describe('an index that cannot be written', () => {
  verifies('COD-06');

  it('continues in memory if the disk is full, with a note', async () => {
    const folder = newFolder();
    await using store = await open(folder, { mostBytes: 200_000 });
    await store.apply({ put: [one], remove: [] });
    const large = Array.from({ length: 2000 }, (_, n) =>
      sampleFile(`src/large/file${n}.ts`, [{ words: `${hashOf(`a${n}`)} ${hashOf(`b${n}`)}` }]),
    );
    await store.apply({ put: large, remove: [] });
    await store.apply({ put: [two], remove: [] });
    expect(await found(store, hashOf('b1234'))).toEqual(['src/large/file1234.ts:1']);
    expect(await found(store, 'gamma delta')).toHaveLength(2);
    expect((await store.state()).notes).toEqual([
      expect.stringMatching(/cannot be written: the disk, or the room that it may take, is full/),
    ]);
    await store[Symbol.asyncDispose]();
    await using after = await open(folder);
    expect([...(await after.files()).keys()]).toEqual(['src/one.ts']);
  });

  it('is kept in memory if its folder cannot be created, with a note', async () => {
    const file = await base.write('a-file', '');
    await using store = await open(join(file, 'index'));
    await store.apply({ put: [one], remove: [] });
    expect(await found(store, 'gamma')).toEqual(['src/one.ts:11']);
    expect((await store.state()).notes).toEqual([
      expect.stringMatching(/^the index cannot be kept in .*a-file.index: .* in memory only$/),
    ]);
  });

  it('is kept in memory if SQLite does not load, with a note', async () => {
    await using store = await open(newFolder(), { open: 'libsql does not load: not today' });
    await store.apply({ put: [one], remove: [] });
    expect(await found(store, 'gamma')).toEqual(['src/one.ts:11']);
    expect((await store.state()).notes).toEqual([
      'the index is kept in memory only: libsql does not load: not today',
    ]);
  });
});
