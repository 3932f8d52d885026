// The cost of indexing and searching a tree: speed, disk, memory, the delay until an edit is found, and switching back
// to an earlier branch. It works on a copy of the tree, since it edits files.

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@plugboard/base';
import {
  type Embedder,
  FileReader,
  type IndexedFile,
  Indexer,
  openStore,
  readingPool,
  Root,
  type Store,
  TreeFollower,
} from '@plugboard/codebase';
import { measureServer } from './codebase-server.ts';
import { makeTree } from './codebase-tree.ts';
import { figure, noneOf, type Section } from './measure/report.ts';
import { seededRandom } from './measure/seeded-random.ts';
import { idleIndex } from './places.ts';

const MADE_FILES = 8_000;
const STORE_CHUNKS = 50_000;
const DIMENSIONS = 384;
const DEFAULT_EDITS = 15;
const QUERIES = 60;
const EMBEDDER = 'bench';

export async function benchmarkIndex(
  repos: string | undefined,
  repeats = DEFAULT_EDITS,
): Promise<readonly Section[]> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'plugboard-index-')));
  try {
    const tree = join(scratch, 'tree');
    console.error(repos === undefined ? 'making a tree' : 'copying the tree');
    if (repos === undefined) makeTree(tree, MADE_FILES);
    else cpSync(repos, tree, { recursive: true });
    return [
      // First, before files are edited. Memory is read from /proc.
      ...(process.platform === 'linux' ? [await measureServer(tree, join(scratch, 'cache'))] : []),
      await measureTree(tree, join(scratch, 'index'), repeats),
      await measureStore(join(scratch, 'store')),
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function opened(folder: string): Promise<Store> {
  const store = await openStore({ kind: 'embedded' }, { folder, rootId: 'bench' });
  if (!store.ok) throw new Error(store.error);
  return store.value;
}

async function measureTree(path: string, folder: string, edits: number): Promise<Section> {
  const root = await Root.open(path);
  if (!root.ok) throw new Error(root.error.message);
  const embedder = new CountingEmbedder();
  const store = await opened(folder);
  console.error('indexing');
  const startedAt = performance.now();
  const tree = new TreeFollower(root.value, systemClock).start();
  const pool = readingPool(systemClock);
  const reader = new FileReader(root.value, pool);
  const indexer = new Indexer({ tree, reader, store, embedder });
  let lexicalMs = 0;
  indexer.onProgress(({ phase }) => {
    if (phase === 'embedding' && lexicalMs === 0) lexicalMs = performance.now() - startedAt;
  });
  await untilReady(indexer);
  const { files, chunks, bytes = 0 } = await indexer.state();
  const source = [...(await store.files()).values()].reduce((sum, { size }) => sum + size, 0);
  console.error('editing');
  const paths = [...(await store.files()).keys()].filter((one) =>
    /\.(?:ts|py|go|rs|java)$/.test(one),
  );
  const editMs = await measureEdits({ path, paths, store, edits });
  await untilReady(indexer);
  console.error('switching branches');
  const again = await measureSwitch({ path, paths, indexer, embedder });
  await indexer.close();
  await tree[Symbol.asyncDispose]();
  await pool.close();
  await store[Symbol.asyncDispose]();
  const note = `${files} files, ${chunks} chunks, ${(source / 1e6).toFixed(1)} MB`;
  return {
    kind: 'figures',
    title: 'index: a tree',
    rows: [
      figure({
        name: 'read, cut and found by words',
        value: (chunks * 1000) / lexicalMs,
        unit: 'chunks/s',
        target: { kind: 'none' },
        note,
      }),
      figure({
        name: 'on the disk, with vectors, without the index for text',
        value: bytes / source,
        unit: '× source',
        target: { kind: 'at-most', value: 0.35 },
        note: `${(bytes / 1e6).toFixed(1)} MB`,
      }),
      figure({
        name: 'an edit is found after, in the median',
        value: middle(editMs),
        unit: 'ms',
        target: { kind: 'at-most', value: 500 },
        note: `${Math.round(Math.max(...editMs))} ms at the longest of ${editMs.length}`,
      }),
      noneOf(
        'embedded again when a branch comes back',
        again.back,
        `${again.there} when it was left`,
      ),
    ],
  };
}

interface EditPlace {
  readonly path: string;
  readonly paths: readonly string[];
  readonly store: Store;
  readonly edits: number;
}

async function measureEdits({ path, paths, store, edits }: EditPlace): Promise<readonly number[]> {
  const times: number[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    const file = join(path, paths[(edit * 37) % paths.length]!);
    // Only letters, so that it is one word of the index.
    const word = `qzx${String.fromCodePoint(97 + Math.floor(edit / 26), 97 + (edit % 26))}v`;
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n${word}\n`);
    const startedAt = performance.now();
    while ((await store.lexical([{ term: word, weight: 1 }], 1)).length === 0) await soon();
    times.push(performance.now() - startedAt);
  }
  return times;
}

interface SwitchPlace {
  readonly path: string;
  readonly paths: readonly string[];
  readonly indexer: Indexer;
  readonly embedder: CountingEmbedder;
}

/** How many signatures were embedded when a fifth of the files changed, and when they changed back. */
async function measureSwitch({ path, paths, indexer, embedder }: SwitchPlace): Promise<{
  readonly there: number;
  readonly back: number;
}> {
  const moved = paths.filter((_, number) => number % 5 === 0).slice(0, 500);
  const texts = moved.map((one) => readFileSync(join(path, one), 'utf8'));
  const counts: number[] = [];
  for (const other of ['\nexport function otherBranch() { return otherThing; }\n', '']) {
    const before = embedder.count;
    for (const [number, one] of moved.entries()) {
      writeFileSync(join(path, one), `${texts[number]!}${other}`);
    }
    // The watcher reports within this time; then the index is not ready until it is done.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await untilReady(indexer);
    counts.push(embedder.count - before);
  }
  return { there: counts[0]!, back: counts[1]! };
}

async function untilReady(indexer: Indexer): Promise<void> {
  while (indexer.progress.phase !== 'ready') await soon();
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

async function measureStore(folder: string): Promise<Section> {
  console.error(`making an index of ${STORE_CHUNKS} chunks`);
  const random = seededRandom(11);
  const store = await opened(folder);
  const words = Array.from({ length: 20_000 }, () => wordFrom(random));
  const word = (): string => words[Math.floor(random() ** 4 * words.length)]!;
  for (let from = 0; from < STORE_CHUNKS; from += 500) {
    const put = Array.from({ length: 100 }, (_, n) => madeFile(from / 5 + n, word));
    await store.apply({ put, remove: [] });
    const hashes = put.flatMap(({ chunks }) => chunks.map(({ signatureHash }) => signatureHash));
    const vectors = hashes.map((signatureHash) => ({ signatureHash, vector: madeVector(random) }));
    await store.putVectors(EMBEDDER, vectors);
  }
  const lexical: number[] = [];
  const dense: number[] = [];
  for (let query = 0; query < QUERIES; query += 1) {
    const terms = Array.from({ length: 8 }, () => ({ term: word(), weight: 1 }));
    lexical.push(await timed(() => store.lexical(terms, 100)));
    const vector = madeVector(random);
    dense.push(await timed(() => store.dense(EMBEDDER, vector, 100)));
  }
  await store[Symbol.asyncDispose]();
  const openMs = await timed(async () => (await opened(folder))[Symbol.asyncDispose]());
  const memory = rssOf([folder]) - rssOf([]);
  const both = middle(lexical.map((ms, number) => ms + dense[number]!));
  return {
    kind: 'figures',
    title: `index: ${STORE_CHUNKS} chunks`,
    rows: [
      figure({
        name: 'a question, by words and by vectors, in the median',
        value: both,
        unit: 'ms',
        target: { kind: 'at-most', value: 30 },
        note: `by words ${middle(lexical).toFixed(1)}, by vectors ${middle(dense).toFixed(1)}`,
      }),
      figure({ name: 'opened in', value: openMs, unit: 'ms', target: { kind: 'none' } }),
      figure({
        name: 'idle memory above bare Node, without a model',
        value: memory / 1e6,
        unit: 'MB',
        target: { kind: 'at-most', value: 150 },
      }),
    ],
  };
}

function madeFile(number: number, word: () => string): IndexedFile {
  const path = `src/${word()}/${word()}${number}.ts`;
  return {
    path,
    size: 5000,
    mtimeMs: number,
    hash: hashOf(path),
    language: 'typescript',
    traits: { isTest: false, isReexport: false, isGenerated: false, isDeclaration: false },
    pathTerms: path.split(/[/.]/),
    chunks: Array.from({ length: 5 }, (_, chunk) => ({
      startLine: chunk * 40 + 1,
      endLine: chunk * 40 + 40,
      kind: 'function',
      symbol: `${word()}.${word()}`,
      names: [word()],
      terms: Array.from({ length: 140 }, word),
      signatureHash: hashOf(`${path}:${chunk}`).slice(0, 24),
    })),
  };
}

function madeVector(random: () => number): Float32Array {
  const vector = Float32Array.from(
    { length: DIMENSIONS },
    () => random() + random() + random() + random() - 1.9,
  );
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function wordFrom(random: () => number): string {
  return Math.floor(random() * 36 ** 4).toString(36) + (random() < 0.5 ? 'ba' : '');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function timed(turn: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await turn();
  return performance.now() - startedAt;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function rssOf(args: readonly string[]): number {
  const printed = execFileSync(process.execPath, ['--expose-gc', idleIndex, ...args], { env: {} });
  return Number(printed.toString());
}

/** An embedder without a model: hashes the text into a vector, and counts the requests. */
class CountingEmbedder implements Embedder {
  readonly id = EMBEDDER;
  readonly dimensions = DIMENSIONS;
  readonly pace = 'later';
  count = 0;

  async embedQuery(text: string): Promise<Float32Array> {
    return this.#vectorOf(text);
  }

  async embedDocuments(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.count += texts.length;
    return texts.map((text) => this.#vectorOf(text));
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  #vectorOf(text: string): Float32Array {
    return madeVector(seededRandom(Number.parseInt(hashOf(text).slice(0, 8), 16)));
  }
}
