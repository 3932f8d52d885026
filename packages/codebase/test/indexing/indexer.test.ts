import { rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@plugboard/base';
import { type TempFolder, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FileReader,
  type FileRequest,
  Indexer,
  type IndexerParts,
  type IndexPhase,
  type ReadFile,
  type ReadingPool,
  readingPool,
} from '../../src/indexing/index.ts';
import { loadSqlite, type OpenDatabase } from '../../src/platform/index.ts';
import { Root, TreeFollower } from '../../src/scan/index.ts';
import { EmbeddedStore } from '../../src/store/index.ts';
import { readQuery } from '../../src/words/index.ts';
import { WordEmbedder } from './word-embedder.ts';

let sqlite: OpenDatabase;
let tree: TempFolder;
let cache: TempFolder;
let pool: ReadingPool;

beforeAll(async () => {
  const loaded = await loadSqlite();
  if (!loaded.ok) throw new Error(loaded.error);
  sqlite = loaded.value;
});
beforeEach(async () => {
  tree = await tempFolder();
  cache = await tempFolder();
  pool = readingPool(systemClock);
  await tree.write(
    'src/greet.ts',
    'export function greetSomebody(name: string) {\n  return name;\n}\n',
  );
  await tree.write('src/part.ts', 'export const farewell = () => "goodbye";\n');
  await tree.write('docs/guide.md', '# Guide\n\nHow to greet.\n');
});
afterEach(async () => {
  await pool.close();
  await tree[Symbol.asyncDispose]();
  await cache[Symbol.asyncDispose]();
});

/** The places of the chunks that a question finds by its words. */
async function found(store: EmbeddedStore, question: string): Promise<string[]> {
  const hits = await store.lexical(readQuery(question).terms, 10);
  return hits.map(({ chunk }) => `${chunk.path}:${chunk.startLine}`);
}

class OpenedIndexer implements AsyncDisposable {
  readonly store: EmbeddedStore;
  readonly indexer: Indexer;
  readonly #follower: TreeFollower;

  constructor(store: EmbeddedStore, root: Root, more: Partial<IndexerParts>) {
    this.store = store;
    this.#follower = new TreeFollower(root, systemClock).start();
    const reader = new FileReader(root, pool);
    this.indexer = new Indexer({ tree: this.#follower, store, reader, ...more });
  }

  async until(phase: IndexPhase): Promise<void> {
    await waitUntil(() => this.indexer.progress.phase === phase, {
      describe: () => `the index to be ${phase}; it is ${JSON.stringify(this.indexer.progress)}`,
    });
  }

  async untilFound(words: string, places: readonly string[]): Promise<void> {
    const wanted = places.toSorted().join();
    await waitUntil(async () => (await found(this.store, words)).toSorted().join() === wanted, {
      describe: `${words} to be found in ${wanted}`,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.indexer.close();
    await this.#follower[Symbol.asyncDispose]();
    await this.store[Symbol.asyncDispose]();
  }
}

async function open(more: Partial<IndexerParts> = {}): Promise<OpenedIndexer> {
  const root = await Root.open(tree.path);
  if (!root.ok) throw new Error(root.error.message);
  const store = await EmbeddedStore.open({ folder: cache.path, open: sqlite, clock: systemClock });
  return new OpenedIndexer(store, root.value, more);
}

describe('an indexer', () => {
  verifies('COD-06');

  it('reads a tree, and then every change in it', async () => {
    await using one = await open();
    await one.until('ready');
    expect(await one.indexer.state()).toMatchObject({
      files: 3,
      chunks: 3,
      semanticCoverage: 0,
      notes: [],
    });
    expect(await found(one.store, 'somebody')).toEqual(['src/greet.ts:1']);

    await tree.write('src/part.ts', 'export const salute = 1;\n');
    await one.untilFound('salute', ['src/part.ts:1']);
    expect(await found(one.store, 'farewell')).toEqual([]);

    await tree.write('src/deep/er/new.ts', 'export const arrival = 1;\n');
    await one.untilFound('arrival', ['src/deep/er/new.ts:1']);

    await rename(join(tree.path, 'src/deep'), join(tree.path, 'src/moved'));
    await one.untilFound('arrival', ['src/moved/er/new.ts:1']);

    await rm(join(tree.path, 'src'), { recursive: true });
    await one.untilFound('arrival salute somebody', []);
    await one.until('ready');
    expect(await one.indexer.state()).toMatchObject({ files: 1 });
  });

  it('reads a file again that changed to text of the same length and time while no indexer ran', async () => {
    const path = await tree.write('src/part.ts', 'export const early = 1;\n');
    {
      await using one = await open();
      await one.untilFound('early', ['src/part.ts:1']);
      await one.until('ready');
    }
    const { atime, mtime } = await stat(path);
    await tree.write('src/part.ts', 'export const later = 1;\n');
    await utimes(path, atime, mtime);
    await using other = await open();
    await other.untilFound('later', ['src/part.ts:1']);
    expect(await found(other.store, 'early')).toEqual([]);
  });

  it('leaves out ignored files, also after an ignore file changes', async () => {
    await tree.write('.ignore', 'src/part.ts\n');
    await using one = await open();
    await one.until('ready');
    expect(await found(one.store, 'farewell')).toEqual([]);
    await tree.write('.ignore', 'docs\n');
    await one.untilFound('farewell', ['src/part.ts:1']);
    await one.untilFound('guide', []);
  });

  it('catches up with changes made while it was closed, and reads nothing else', async () => {
    await (await useOnce())[Symbol.asyncDispose]();
    await tree.write('src/part.ts', 'export const salute = 1;\n');
    await tree.write('docs/guide.md', '# Guide\n\nHow to greet.\n');
    await rm(join(tree.path, 'src/greet.ts'));
    const read: string[] = [];
    const counting = reading(async ({ path }, next) => {
      const taken = await next();
      read.push(`${taken.kind} ${path}`);
      return taken;
    });
    await using again = await open({ reader: counting });
    await again.until('ready');
    // The guide was rewritten without changes, so it was not taken.
    expect(read.toSorted()).toEqual(['put src/part.ts', 'same docs/guide.md']);
    expect([...(await again.store.files()).keys()].toSorted()).toEqual([
      'docs/guide.md',
      'src/part.ts',
    ]);
    expect(await found(again.store, 'salute')).toEqual(['src/part.ts:1']);
  });

  async function useOnce(): Promise<OpenedIndexer> {
    const opened = await open();
    await opened.until('ready');
    return opened;
  }

  it('records binary and huge files, without chunks', async () => {
    await tree.write('image.bin', 'PNG\u0000secretword');
    await tree.write('huge.txt', 'hugeword '.repeat(200_000));
    await using one = await open();
    await one.until('ready');
    expect(await found(one.store, 'secretword hugeword')).toEqual([]);
    expect(await one.indexer.state()).toMatchObject({ files: 5, chunks: 3 });
  });

  it('reports that the root is gone, keeps its index, and continues when the root is back', async () => {
    await using one = await open();
    await one.until('ready');
    await rename(tree.path, `${tree.path}-away`);
    await one.until('root-gone');
    expect(await found(one.store, 'farewell')).toEqual(['src/part.ts:1']);
    await rename(`${tree.path}-away`, tree.path);
    await tree.write('src/part.ts', 'export const salute = 1;\n');
    await one.untilFound('salute', ['src/part.ts:1']);
    await one.until('ready');
    await tree.write('src/later.ts', 'export const afterwards = 1;\n');
    await one.untilFound('afterwards', ['src/later.ts:1']);
  });

  it('reports its progress', async () => {
    for (let n = 0; n < 200; n += 1)
      await tree.write(`many/file${n}.ts`, `export const n${n} = 1;\n`);
    const seen = new Set<string>();
    await using one = await open({ embedder: new WordEmbedder() });
    one.indexer.onProgress(({ phase, done, total }) => {
      expect(done).toBeLessThanOrEqual(total);
      seen.add(phase);
    });
    await one.until('ready');
    expect([...seen].toSorted()).toEqual(['embedding', 'listing', 'reading', 'ready']);
  });
});

describe('the vectors of an indexer', () => {
  verifies('COD-06');

  it('are computed in the background for every chunk, and used by searches', async () => {
    const embedder = new WordEmbedder();
    await using one = await open({ embedder });
    await waitUntil(async () => (await one.indexer.state()).semanticCoverage === 1, {
      describe: 'all chunks to have a vector',
    });
    const query = await embedder.embedQuery('greet somebody');
    const [best] = await one.store.dense(embedder.id, query, 1);
    expect(best?.chunk).toMatchObject({ path: 'src/greet.ts', symbol: 'greetSomebody' });
  });

  it('are not computed again after a branch is left and checked out again', async () => {
    const embedder = new WordEmbedder();
    await using one = await open({ embedder });
    const covered = async (): Promise<boolean> => {
      const { phase, semanticCoverage } = await one.indexer.state();
      return phase === 'ready' && semanticCoverage === 1;
    };
    await waitUntil(covered, { describe: 'all to have vectors' });
    const before = embedder.embedded.length;
    await tree.write('src/greet.ts', 'export const somethingElse = 1;\n');
    await one.untilFound('somethingelse', ['src/greet.ts:1']);
    await waitUntil(covered, { describe: 'the new chunk to have a vector' });
    expect(embedder.embedded.length - before).toBe(1);
    await tree.write(
      'src/greet.ts',
      'export function greetSomebody(name: string) {\n  return name;\n}\n',
    );
    await one.untilFound('somebody', ['src/greet.ts:1']);
    await waitUntil(covered, { describe: 'the old chunk to have its vector' });
    expect(embedder.embedded.length - before).toBe(1);
  });

  it('are computed by a quick embedder while files are read, without reading them twice', async () => {
    const read: string[] = [];
    const reader = reading((request, next) => {
      read.push(request.path);
      return next();
    });
    const embedder = new WordEmbedder('as-read');
    await using one = await open({ embedder, reader });
    await one.until('ready');
    expect(await one.indexer.state()).toMatchObject({ semanticCoverage: 1 });
    expect(read.toSorted()).toEqual(['docs/guide.md', 'src/greet.ts', 'src/part.ts']);
  });

  it('are computed again for an index with vectors of another embedder', async () => {
    const before = await open({ embedder: new WordEmbedder('later', 'an older model') });
    await before.until('ready');
    await before[Symbol.asyncDispose]();
    const embedder = new WordEmbedder('as-read');
    await using one = await open({ embedder });
    await untilCovered(one);
    expect(embedder.embedded).toHaveLength(3);
  });

  it('are computed for every chunk although a file was cut differently at first', async () => {
    // As if parsing took too long once: no file contains the missing signatures.
    let isFirst = true;
    const reader = reading(async (request, next) => {
      const read = await next();
      if (request.path !== 'src/part.ts' || read.kind !== 'put' || !isFirst) return read;
      isFirst = false;
      const chunks = read.file.chunks.map((chunk) => ({
        ...chunk,
        signatureHash: '0'.repeat(24),
      }));
      return { ...read, file: { ...read.file, chunks } };
    });
    await using one = await open({ embedder: new WordEmbedder(), reader });
    await untilCovered(one);
    expect((await one.indexer.state()).unread).toEqual([]);
  });
});

describe('a file that cannot be read', () => {
  verifies('COD-06');

  it('is tried again', async () => {
    let failures = 2;
    const reader = reading(async (request, next) => {
      if (request.path !== 'src/part.ts' || failures === 0) return next();
      failures -= 1;
      throw new Error('the process was lost');
    });
    await using one = await open({ reader });
    await one.until('ready');
    expect(await found(one.store, 'farewell')).toEqual(['src/part.ts:1']);
    expect(await one.indexer.state()).toMatchObject({ unread: [], notes: [] });
  });

  it('is named if trying again does not help, and read when it changes', async () => {
    let isBroken = true;
    const reader = reading(async (request, next) => {
      if (request.path === 'src/part.ts' && isBroken) throw new Error('the process was lost');
      return next();
    });
    await using one = await open({ reader });
    await one.until('ready');
    expect(await one.indexer.state()).toMatchObject({
      files: 2,
      unread: ['src/part.ts'],
      notes: ['src/part.ts could not be read: the process was lost'],
    });
    isBroken = false;
    await tree.write('src/part.ts', 'export const salute = 1;\n');
    await one.untilFound('salute', ['src/part.ts:1']);
    expect((await one.indexer.state()).unread).toEqual([]);
  });
});

async function untilCovered({ indexer }: OpenedIndexer): Promise<void> {
  await waitUntil(async () => (await indexer.state()).semanticCoverage === 1, {
    describe: 'all chunks to have a vector',
  });
}

/** Calls `around` before each reading. */
function reading(
  around: (request: FileRequest, next: () => Promise<ReadFile>) => Promise<ReadFile>,
): IndexerParts['reader'] {
  const real = new FileReader(tree, pool);
  return {
    read: (request, signal) => around(request, () => real.read(request, signal)),
    prepare: () => real.prepare(),
  };
}
