import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Embedder,
  type EmbedderPorts,
  openEmbedder,
  type OpenedEmbedder,
} from '../../src/embed/index.ts';
import { type BackgroundThread, startBackgroundThread } from '../../src/platform/index.ts';
import { copyModel } from './model-package.ts';

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

async function open(ports: EmbedderPorts = {}): Promise<Embedder> {
  const opened = await openEmbedder({ kind: 'embedded' }, ports);
  if (opened.kind === 'none') throw new Error(opened.reason);
  return opened.embedder;
}

/** Of Linux: the larger, the more a thread stands back. */
function nicenessOf(task: string): number {
  const stat = readFileSync(`${task}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}
const OWN_NICENESS = process.platform === 'linux' ? nicenessOf('/proc/self') : undefined;

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

describe('the embedded model', () => {
  verifies('COD-04');
  let native: Embedder;
  beforeAll(async () => {
    native = await open({ engines: ['node'] });
  });
  afterAll(() => native.close());

  it('says what runs it, and names its vectors after the weights', () => {
    expect(native.runtime).toMatch(/^onnxruntime-node \d+\.\d+\.\d+, [12] threads?$/);
    expect([native.id, native.dimensions]).toEqual(['c655d0701a500399-mean1', 384]);
  });

  it('gives vectors of length one, one for each text', async () => {
    const texts = [...DOCUMENTS, '', '\0', '🚀', 'x'.repeat(100_000)];
    const vectors = await native.embedDocuments(texts);
    expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => 384));
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    expect(await native.embedDocuments([])).toEqual([]);
  });

  it('finds what a question is about', async () => {
    const documents = await native.embedDocuments(DOCUMENTS);
    for (const [question, expected] of QUESTIONS) {
      const vector = await native.embedQuery(question);
      const similarities = documents.map((document) => cosine(vector, document));
      expect([question, similarities.indexOf(Math.max(...similarities))]).toEqual([
        question,
        expected,
      ]);
    }
  });

  it('gives nearly the same vectors in WebAssembly', { timeout: 60_000 }, async () => {
    const wasm = await open({ engines: ['wasm'] });
    try {
      expect(wasm.runtime).toMatch(/^onnxruntime-web .* \(WebAssembly\), [12] threads?$/);
      expect(wasm.id).toBe(native.id);
      const [ours, theirs] = [
        await wasm.embedDocuments(DOCUMENTS),
        await native.embedDocuments(DOCUMENTS),
      ];
      ours.forEach((vector, index) => expect(cosine(vector, theirs[index]!)).toBeGreaterThan(0.98));
    } finally {
      await wasm.close();
    }
  });

  it('answers a question while many documents wait', async () => {
    const order: string[] = [];
    const many = Array.from({ length: 400 }, (_, index) => `${DOCUMENTS[index % 5]} ${index}`);
    const documents = native.embedDocuments(many).then(() => order.push('documents'));
    await native.embedQuery('how are passwords hashed');
    order.push('question');
    await documents;
    expect(order).toEqual(['question', 'documents']);
  });

  it('gives up documents that nobody wants any more, and goes on', async () => {
    const controller = new AbortController();
    const many = Array.from({ length: 20_000 }, (_, index) => `${DOCUMENTS[index % 5]} ${index}`);
    const documents = native.embedDocuments(many, controller.signal);
    const reason = new Error('no longer wanted');
    // By then the thread is at work on them.
    await native.embedQuery('hello');
    controller.abort(reason);
    await expect(documents).rejects.toBe(reason);
    // All of them would take most of a minute.
    expect(await native.embedDocuments(['hello'])).toHaveLength(1);
    await expect(native.embedQuery('hello', controller.signal)).rejects.toBe(reason);
  });

  it.runIf(process.platform === 'linux')('lets the program around it go first', () => {
    const all = readdirSync('/proc/self/task').map((task) => nicenessOf(`/proc/self/task/${task}`));
    expect(nicenessOf('/proc/self')).toBe(OWN_NICENESS);
    // The thread itself, and at least one that the engine started.
    expect(all.filter((nice) => nice > OWN_NICENESS!).length).toBeGreaterThanOrEqual(2);
  });
});

describe('an embedder that is closed', () => {
  it('rejects what waits and what comes later, and can be closed again', async () => {
    const embedder = await open();
    const documents = embedder.embedDocuments(Array.from({ length: 5_000 }, () => DOCUMENTS[0]!));
    const closed = { code: 'embedder-closed' };
    await Promise.all([expect(documents).rejects.toMatchObject(closed), embedder.close()]);
    await embedder.close();
    await expect(embedder.embedQuery('late')).rejects.toMatchObject(closed);
  });
});

describe('the thread of the embedded model', () => {
  it('keeps a process alive while something waits for it, and not longer', async () => {
    // From dist, as everything that runs as a process of its own.
    const door = new URL('../../dist/embed/index.js', import.meta.url).href;
    const program = `
      const { openEmbedder } = await import(${JSON.stringify(door)});
      const { embedder } = await openEmbedder({ kind: 'embedded' });
      const { length } = await embedder.embedQuery('hello');
      process.stdout.write(String(length));
    `;
    const run = promisify(execFile);
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await run(process.execPath, args, { timeout: 15_000 });
    expect(stdout).toBe('384');
  });

  /** Threads that a test can end behind the embedder's back. */
  function killable(): { ports: EmbedderPorts; threads: BackgroundThread[] } {
    const threads: BackgroundThread[] = [];
    return {
      threads,
      ports: {
        startThread: (start) => {
          const thread = startBackgroundThread(start);
          threads.push(thread);
          return thread;
        },
      },
    };
  }

  it('is started again once when it dies, with all that waits; then it is given up', async () => {
    const { ports, threads } = killable();
    const embedder = await open(ports);
    const [before] = await embedder.embedDocuments([DOCUMENTS[0]!]);
    const waiting = embedder.embedDocuments([DOCUMENTS[0]!]);
    await threads[0]!.stop();
    const [after] = await waiting;
    expect(after).toEqual(before);
    expect(threads).toHaveLength(2);
    const lost = embedder.embedDocuments(Array.from({ length: 5_000 }, () => DOCUMENTS[0]!));
    const crashed = { code: 'embedder-crashed' };
    await Promise.all([expect(lost).rejects.toMatchObject(crashed), threads[1]!.stop()]);
    await expect(embedder.embedQuery('late')).rejects.toMatchObject(crashed);
    expect(threads).toHaveLength(2);
    await embedder.close();
  });

  it('that cannot be started again rejects what waits', async () => {
    await using folder = await tempFolder();
    await copyModel(folder.path);
    const { ports, threads } = killable();
    const embedder = await open({ ...ports, modelFolder: folder.path });
    await folder.write('tokenizer.json', '{}');
    const waiting = embedder.embedDocuments(Array.from({ length: 5_000 }, () => DOCUMENTS[0]!));
    const failure = expect(waiting).rejects.toMatchObject({
      code: 'embedder-crashed',
      message: expect.stringContaining('tokenizer.json is damaged') as string,
    });
    await threads[0]!.stop();
    await failure;
    await embedder.close();
  });

  it('that dies before it is ready is given up after another try', async () => {
    const opened = await openEmbedder(
      { kind: 'embedded' },
      {
        startThread: (start) =>
          startBackgroundThread({
            ...start,
            program: new URL('./no-such-file.js', import.meta.url),
          }),
      },
    );
    expect(opened.kind).toBe('none');
  });
});

describe('an embedded model that cannot be used', () => {
  const reasonOf = (opened: OpenedEmbedder): string =>
    opened.kind === 'none' ? opened.reason : `open: ${opened.embedder.runtime}`;

  it('with no engine is left out, and the reason is said', async () => {
    const opened = await openEmbedder({ kind: 'embedded' }, { engines: [] });
    expect(opened).toEqual({ kind: 'none', reason: 'no engine runs the embedded model here' });
  });

  it.each(['model_int8.onnx', 'tokenizer.json'])('since %s is damaged is refused', async (name) => {
    await using folder = await tempFolder();
    await copyModel(folder.path);
    const path = join(folder.path, name);
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
    const reason = reasonOf(await openEmbedder({ kind: 'embedded' }, { modelFolder: folder.path }));
    expect(reason).toContain(`${path} is damaged: its sha256 is `);
    expect(reason).toContain('fix: install @plugboard/codebase-model again');
    await writeFile(path, Buffer.concat([bytes, Buffer.from('more')]));
    expect(
      reasonOf(await openEmbedder({ kind: 'embedded' }, { modelFolder: folder.path })),
    ).toContain('that of a larger file');
  });

  it('since files are missing or are no manifest is refused', async () => {
    await using folder = await tempFolder();
    const refusal = async (): Promise<string> =>
      reasonOf(await openEmbedder({ kind: 'embedded' }, { modelFolder: folder.path }));
    expect(await refusal()).toContain('manifest.json (missing)');
    await folder.write('manifest.json', '{"files":{}}');
    expect(await refusal()).toContain('is not the manifest of a model');
    await copyModel(folder.path);
    // A manifest that leads out of its folder is none.
    const manifest = await folder.read('manifest.json');
    await folder.write('manifest.json', manifest.replace('tokenizer.json', '../tokenizer.json'));
    expect(await refusal()).toContain('is not the manifest of a model');
  });

  it('when embeddings are off says so', async () => {
    expect(reasonOf(await openEmbedder({ kind: 'none' }))).toBe(
      'embeddings are turned off (embedder.kind is "none")',
    );
  });
});
