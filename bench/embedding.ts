// How many texts a second the embedded model does, beside a bare session of the same runtime that is fed the same
// tokens in the same batches and does nothing with what comes out. The texts are rough signatures of this
// repository's own sources.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { type Embedder, openEmbedder } from '@plugboard/codebase';
import { batchesOf } from '../packages/codebase/src/embed/token-batches.ts';
import { readTokenizer } from '../packages/codebase/src/embed/tokenizer.ts';
import { compare, figure, type Figure, type Section } from './measure/report.ts';
import { runRounds } from './measure/rounds.ts';
import { inBench } from './places.ts';

const DEFAULT_ROUNDS = 10;
const TEXTS = 384;
const DOCUMENT_TOKENS = 96;
const THREADS = 2;
const LEAST_RATIO = 0.9;
const QUERIES = 40;

type BenchmarkRun = () => Promise<void>;

export async function benchmarkEmbedding(repeats: number | undefined): Promise<readonly Section[]> {
  const texts = signatures(TEXTS);
  // The embedder's thread stands back; where others are at work, the bare session must do so as well.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const embedder = await open();
  try {
    await embedder.embedDocuments(texts);
    const rounds = repeats ?? DEFAULT_ROUNDS;
    const bare = await bareRun(texts, {});
    // The other difference that counts on a busy machine: threads that wait give way.
    const waiting = await bareRun(texts, {
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
    await bare();
    await waiting();
    const samples = await runRounds(
      [
        { name: 'embedDocuments', turn: () => textsPerSecond(() => ours(embedder, texts)) },
        { name: 'bare session', turn: () => textsPerSecond(bare) },
        { name: 'bare session, no spinning', turn: () => textsPerSecond(waiting) },
      ],
      rounds,
    );
    const subject = 'embedDocuments';
    const target = { kind: 'at-least', value: LEAST_RATIO } as const;
    const rows = ['bare session', 'bare session, no spinning'].map((baseline) =>
      compare(samples, { subject, baseline, target }),
    );
    return [
      {
        kind: 'comparison',
        title: `embedding: ${TEXTS} signatures, ${embedder.runtime}`,
        unit: 'texts/s',
        rounds,
        rows,
      },
      { kind: 'figures', title: 'embedding', rows: await figures(embedder) },
    ];
  } finally {
    await embedder.close();
  }
}

async function open(): Promise<Embedder> {
  const opened = await openEmbedder({ kind: 'embedded' }, { engines: ['node'], threads: THREADS });
  if (opened.kind === 'none') throw new Error(opened.reason);
  return opened.embedder;
}

async function ours(embedder: Embedder, texts: readonly string[]): Promise<void> {
  const vectors = await embedder.embedDocuments(texts);
  if (vectors.length !== texts.length) throw new Error('a vector is missing');
}

async function textsPerSecond(run: BenchmarkRun): Promise<number> {
  const before = performance.now();
  await run();
  return (TEXTS * 1000) / (performance.now() - before);
}

/** All batches through a session as the runtime makes it by default, but for the threads and what is given. */
async function bareRun(texts: readonly string[], options: object): Promise<BenchmarkRun> {
  const require = createRequire(inBench('../packages/codebase/package.json'));
  const model = require.resolve('@plugboard/codebase-model/model_int8.onnx');
  const vocabulary = readFileSync(
    require.resolve('@plugboard/codebase-model/tokenizer.json'),
    'utf8',
  );
  const tokenizer = readTokenizer(vocabulary);
  if (!tokenizer.ok) throw new Error(tokenizer.error);
  const onnx = require('onnxruntime-node');
  const session = await onnx.InferenceSession.create(readFileSync(model), {
    intraOpNumThreads: THREADS,
    ...options,
  });
  const items = texts.map((text) => ({ ids: tokenizer.value.encode(text, DOCUMENT_TOKENS) }));
  const feeds = batchesOf(items).map((batch) => {
    const length = Math.max(...batch.map(({ ids }) => ids.length));
    const shape = [batch.length, length];
    const input = new BigInt64Array(batch.length * length);
    const mask = new BigInt64Array(batch.length * length);
    batch.forEach(({ ids }, row) => {
      ids.forEach((id, at) => {
        input[row * length + at] = BigInt(id);
        mask[row * length + at] = 1n;
      });
    });
    return {
      input_ids: new onnx.Tensor('int64', input, shape),
      attention_mask: new onnx.Tensor('int64', mask, shape),
      token_type_ids: new onnx.Tensor('int64', new BigInt64Array(input.length), shape),
    };
  });
  return async () => {
    for (const feed of feeds) await session.run(feed);
  };
}

async function figures(embedder: Embedder): Promise<readonly Figure[]> {
  const took: number[] = [];
  for (let query = 0; query < QUERIES; query += 1) {
    const before = performance.now();
    await embedder.embedQuery(`where is the connection closed when a server dies, ${query}`);
    took.push(performance.now() - before);
  }
  const median = took.toSorted((a, b) => a - b)[QUERIES / 2]!;
  const target = { kind: 'none' } as const;
  return [figure({ name: 'a question', value: median, unit: 'ms', target, note: 'median' })];
}

/** Pieces of sources as a model of code likes them, roughly: words of the path, then those of the text. */
function signatures(count: number): readonly string[] {
  const files = readdirSync(inBench('../packages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^\w+\/src\/.*\.ts$/.test(file))
    .toSorted();
  const pieces = files.flatMap((file) => {
    const text = readFileSync(inBench(`../packages/${file}`), 'utf8');
    const starts = Array.from(
      { length: Math.ceil(text.length / 1500) },
      (_, index) => index * 1500,
    );
    return starts.map((start) => `${words(file)}. ${words(text.slice(start, start + 1500))}`);
  });
  const step = pieces.length / count;
  return Array.from({ length: count }, (_, index) => pieces[Math.floor(index * step)]!);
}

function words(text: string): string {
  const seen = new Set(
    text.match(/[A-Za-z][a-z]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()),
  );
  return [...seen].join(' ').slice(0, 600);
}
