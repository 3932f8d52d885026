import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { never, systemClock } from '@plugboard/base';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileIntake } from '../../src/indexing/file-intake.ts';
import {
  FileReader,
  type FileRequest,
  type ReadFile,
  type ReadingPool,
  readingPool,
} from '../../src/indexing/index.ts';
import { loadSqlite } from '../../src/platform/index.ts';
import { listFiles, type ListedFile } from '../../src/scan/index.ts';
import { EmbeddedStore } from '../../src/store/index.ts';

/** Reads files, but holds the results back until they are released. */
class HeldReader implements Pick<FileReader, 'read'> {
  readonly #reader: FileReader;
  readonly #held: { readonly path: string; readonly give: () => void }[] = [];
  isHolding = true;

  constructor(reader: FileReader) {
    this.#reader = reader;
  }

  async read(request: FileRequest, signal: AbortSignal): Promise<ReadFile> {
    const read = await this.#reader.read(request, signal);
    if (this.isHolding) {
      await new Promise<void>((give) => this.#held.push({ path: request.path, give }));
    }
    return read;
  }

  async holds(...paths: readonly string[]): Promise<void> {
    await waitUntil(() => paths.every((path) => this.#held.some((one) => one.path === path)), {
      describe: () => `${paths.join()} among ${this.#held.map(({ path }) => path).join()}`,
    });
  }

  give(): void {
    for (const { give } of this.#held.splice(0)) give();
  }

  giveAll(): void {
    this.isHolding = false;
    this.give();
  }
}

let tree: TempFolder;
let cache: TempFolder;
let store: EmbeddedStore;
let pool: ReadingPool;
let reader: HeldReader;
let intake: FileIntake;

beforeEach(async () => {
  tree = await tempFolder();
  cache = await tempFolder();
  const sqlite = await loadSqlite();
  if (!sqlite.ok) throw new Error(sqlite.error);
  store = await EmbeddedStore.open({ folder: cache.path, open: sqlite.value, clock: systemClock });
  pool = readingPool(systemClock);
  reader = new HeldReader(new FileReader(tree, pool));
  intake = await FileIntake.open({
    ...{ reader, store, symbols: undefined, signal: never, signatures: 'of-reread' },
    onSignatures: async () => {},
    onProgress: () => {},
    onProblem: (message) => expect.fail(message),
  });
});
afterEach(async () => {
  reader.giveAll();
  await intake.idle();
  await pool.close();
  await store[Symbol.asyncDispose]();
  await tree[Symbol.asyncDispose]();
  await cache[Symbol.asyncDispose]();
});

async function listed(): Promise<readonly ListedFile[]> {
  const all: ListedFile[] = [];
  for await (const file of listFiles(tree, never)) all.push(file);
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function known(): Promise<readonly string[]> {
  return [...(await store.files()).keys()].toSorted();
}

describe('taking files into an index', () => {
  verifies('COD-06');

  it('leaves out a file that is removed after it was read and before it was written', async () => {
    await tree.write('a.ts', 'one');
    await tree.write('in/b.ts', 'two');
    intake.takeChange(['a.ts', 'in/b.ts'], []);
    await reader.holds('a.ts', 'in/b.ts');
    await rm(join(tree.path, 'a.ts'));
    await rm(join(tree.path, 'in'), { recursive: true });
    intake.takeChange([], ['a.ts', 'in']);
    reader.giveAll();
    await intake.idle();
    expect(await known()).toEqual([]);
  });

  it('leaves out waiting files that a new listing does not contain', async () => {
    for (let count = 0; count < 60; count += 1) await tree.write(`flood/f${count}.ts`, 'x');
    await tree.write('a.ts', 'one');
    intake.listingBegins();
    intake.takeListing(await listed());
    await reader.holds('a.ts');
    await tree.write('.ignore', 'flood\n');
    intake.listingBegins();
    intake.takeListing(await listed());
    reader.giveAll();
    await intake.idle();
    expect(await known()).toEqual(['a.ts']);
  });

  it('stores the last text of a file that changed and changed back while it was read', async () => {
    await tree.write('a.ts', 'one');
    intake.takeChange(['a.ts'], []);
    await reader.holds('a.ts');
    reader.give();
    await intake.idle();
    const [before] = (await store.files()).values();
    await tree.write('a.ts', 'two');
    intake.takeChange(['a.ts'], []);
    await reader.holds('a.ts');
    await tree.write('a.ts', 'one');
    intake.takeChange(['a.ts'], []);
    reader.giveAll();
    await intake.idle();
    const [after] = (await store.files()).values();
    expect(after?.hash).toBe(before?.hash);
    expect(await store.lexical([{ term: 'two', weight: 1 }], 5)).toEqual([]);
    expect(await store.lexical([{ term: 'one', weight: 1 }], 5)).toHaveLength(1);
  });
});
