import { join } from 'node:path';
import {
  type QdrantCluster,
  startQdrantCluster,
  type TempFolder,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type QdrantSettings, type Store } from '../../src/store/index.ts';
import { found, sampleFile } from './sample-files.ts';
import { storeContract } from './store-contract.ts';

const embedder = { id: 'test-embedder', dimensions: 32 };

let base: TempFolder;
let cluster: QdrantCluster;
let roots = 0;

beforeAll(async () => {
  base = await tempFolder();
  cluster = await startQdrantCluster(3);
  // Rarity is computed for each shard, which means little for a shard with two chunks.
  await using crowd = await open('crowd');
  const files = Array.from({ length: 300 }, (_, n) =>
    sampleFile(`crowd${n}.txt`, [{ words: `filler number${n}` }]),
  );
  await crowd.apply({ put: files, remove: [] });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await base[Symbol.asyncDispose]();
});

function settings(): QdrantSettings {
  const url = cluster.nodes.map((node) => node.url);
  return { kind: 'qdrant', url, shards: 3, replicas: 2 };
}

/** Opens a new tree in the same collection by default. */
async function open(rootId?: string): Promise<Store> {
  roots += 1;
  const name = rootId ?? `root-${roots}`;
  const folder = join(base.path, name);
  const opened = await openStore(settings(), { folder, rootId: name, embedder });
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}

describe('the Qdrant store', () => {
  verifies('COD-08');

  storeContract({ open: () => open() });

  it('contains everything after it is reopened, and nothing of other trees', async () => {
    const before = await open('again');
    const file = sampleFile('src/one.ts', [{ words: 'alpha beta', symbol: 'one' }]);
    await before.apply({ put: [file], remove: [] });
    const files = await before.files();
    await before[Symbol.asyncDispose]();
    await using after = await open('again');
    expect(await after.files()).toEqual(files);
    expect(await found(after, 'alpha')).toEqual(['src/one.ts:1']);
    await using other = await open();
    expect(await found(other, 'alpha')).toEqual([]);
    expect(await other.state()).toMatchObject({ files: 0, chunks: 0, bytes: undefined });
  });

  it('has one writer for each tree of a machine', async () => {
    await using writer = await open('shared');
    await using reader = await open('shared');
    expect([writer.role, reader.role]).toEqual(['writer', 'reader']);
    await expect(reader.apply({ put: [], remove: [] })).rejects.toMatchObject({
      code: 'not-the-writer',
    });
    await writer.apply({ put: [sampleFile('a.ts', [{ words: 'alpha' }])], remove: [] });
    expect(await found(reader, 'alpha')).toEqual(['a.ts:1']);
  });

  // The last test, since it kills a server of the cluster.
  it('continues to answer and write when a server is killed during searches', async () => {
    await using store = await open();
    const files = Array.from({ length: 120 }, (_, n) =>
      sampleFile(`src/file${n}.ts`, [{ words: `common word${n}` }]),
    );
    await store.apply({ put: files, remove: [] });
    const ask = async (): Promise<number> => (await found(store, 'common', 200)).length;
    const before = Array.from({ length: 10 }, ask);
    // The server that is tried first.
    const kill = cluster.nodes[0]?.kill();
    const during = Array.from({ length: 20 }, ask);
    await kill;
    const after = [await ask(), await ask(), await ask()];
    const answers = [...(await Promise.all([...before, ...during])), ...after];
    expect(answers).toEqual(answers.map(() => 120));
    await store.apply({
      put: [sampleFile('late.ts', [{ words: 'late' }])],
      remove: ['src/file0.ts'],
    });
    expect(await found(store, 'late')).toEqual(['late.ts:1']);
    expect(await ask()).toBe(119);
  });
});
