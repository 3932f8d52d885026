import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ManualClock, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Embedder,
  type EmbedderPorts,
  openEmbedder,
  type OpenedEmbedder,
} from '../../src/embed/index.ts';
import { type SideProcess, startSideProcess } from '../../src/platform/index.ts';
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

  it('reports which engine runs it, and names its vectors after the weights', () => {
    expect(native.runtime).toMatch(/^onnxruntime-node \d+\.\d+\.\d+, [12] threads?$/);
    expect([native.id, native.dimensions]).toEqual(['c655d0701a500399-mean1', 384]);
  });

  it('returns one vector of length one for each text', async () => {
    const texts = [...DOCUMENTS, '', '\0', '🚀', 'x'.repeat(100_000)];
    const vectors = await native.embedDocuments(texts);
    expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => 384));
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    expect(await native.embedDocuments([])).toEqual([]);
  });

  it('ranks the document that a question is about first', async () => {
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

  it('gives nearly the same vectors in WebAssembly', async () => {
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

  it('answers a question before documents that are still queued', async () => {
    const order: string[] = [];
    const many = Array.from({ length: 400 }, (_, index) => `${DOCUMENTS[index % 5]} ${index}`);
    const documents = native.embedDocuments(many).then(() => order.push('documents'));
    await native.embedQuery('how are passwords hashed');
    order.push('question');
    await documents;
    expect(order).toEqual(['question', 'documents']);
  });

  it('stops embedding documents whose caller has aborted, and continues with other work', async () => {
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
});

describe('a closed embedder', () => {
  it('rejects pending and later requests, and can be closed again', async () => {
    const embedder = await open();
    const documents = embedder.embedDocuments(Array.from({ length: 5_000 }, () => DOCUMENTS[0]!));
    const closed = { code: 'embedder-closed' };
    await Promise.all([expect(documents).rejects.toMatchObject(closed), embedder.close()]);
    await embedder.close();
    await expect(embedder.embedQuery('late')).rejects.toMatchObject(closed);
  });
});

describe('the process of the embedded model', () => {
  it('keeps the parent process alive only while a request is pending', async () => {
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

  /** Processes that a test can end behind the embedder's back. */
  function killable(): { ports: EmbedderPorts; sides: SideProcess[] } {
    const sides: SideProcess[] = [];
    return {
      sides,
      ports: {
        startSide: (start) => {
          const side = startSideProcess(start);
          sides.push(side);
          return side;
        },
      },
    };
  }

  it.runIf(process.platform === 'linux')(
    'runs at a lower priority than the program that started it',
    async () => {
      const { ports, sides } = killable();
      const embedder = await open(ports);
      const tasks = `/proc/${sides[0]!.pid}/task`;
      const all = readdirSync(tasks).map((task) => nicenessOf(`${tasks}/${task}`));
      expect(nicenessOf('/proc/self')).toBe(OWN_NICENESS);
      expect(Math.min(...all)).toBeGreaterThan(OWN_NICENESS!);
      await embedder.close();
    },
  );

  it('stops when idle, and starts again for the next question', async () => {
    const { ports, sides } = killable();
    const clock = new ManualClock();
    const embedder = await open({ ...ports, clock });
    const before = await embedder.embedQuery('hello');
    await clock.advance(59_000);
    await embedder.embedQuery('not yet');
    await clock.advance(59_000);
    expect(sides).toHaveLength(1);
    await clock.advance(1_000);
    expect((await sides[0]!.ended).kind).toBe('exited');
    // An end that was meant is no crash, however often it happens.
    for (const round of [2, 3, 4]) {
      expect(await embedder.embedQuery('hello')).toEqual(before);
      expect(sides).toHaveLength(round);
      await clock.advance(60_000);
      await sides.at(-1)!.ended;
    }
    await embedder.close();
  });

  it.runIf(process.platform === 'linux')(
    'stops when the program that started it is killed',
    async () => {
      const door = new URL('../../dist/embed/index.js', import.meta.url).href;
      const platform = new URL('../../dist/platform/index.js', import.meta.url).href;
      const program = `
      const { openEmbedder } = await import(${JSON.stringify(door)});
      const { startSideProcess } = await import(${JSON.stringify(platform)});
      const startSide = (start) => {
        const side = startSideProcess(start);
        process.stdout.write(String(side.pid));
        return side;
      };
      await openEmbedder({ kind: 'embedded' }, { startSide });
      setInterval(() => {}, 1000);
    `;
      const parent = spawn(process.execPath, ['--input-type=module', '--eval', program]);
      const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
      parent.kill('SIGKILL');
      await waitUntil(() => !existsSync(`/proc/${pid.toString()}/exe`), { describe: 'its end' });
    },
  );

  it('is restarted once with all pending requests when it dies, and then given up', async () => {
    const { ports, sides } = killable();
    const embedder = await open(ports);
    const [before] = await embedder.embedDocuments([DOCUMENTS[0]!]);
    const waiting = embedder.embedDocuments([DOCUMENTS[0]!]);
    await sides[0]!.stop();
    const [after] = await waiting;
    expect(after).toEqual(before);
    expect(sides).toHaveLength(2);
    const lost = embedder.embedDocuments(Array.from({ length: 5_000 }, () => DOCUMENTS[0]!));
    const crashed = { code: 'embedder-crashed' };
    await Promise.all([expect(lost).rejects.toMatchObject(crashed), sides[1]!.stop()]);
    await expect(embedder.embedQuery('late')).rejects.toMatchObject(crashed);
    expect(sides).toHaveLength(2);
    await embedder.close();
  });

  it('rejects pending requests when it cannot be restarted', async () => {
    await using folder = await tempFolder();
    await copyModel(folder.path);
    const { ports, sides } = killable();
    const embedder = await open({ ...ports, modelFolder: folder.path });
    await folder.write('tokenizer.json', '{}');
    const waiting = embedder.embedDocuments(Array.from({ length: 5_000 }, () => DOCUMENTS[0]!));
    const failure = expect(waiting).rejects.toMatchObject({
      code: 'embedder-crashed',
      message: expect.stringContaining('tokenizer.json is damaged') as string,
    });
    await sides[0]!.stop();
    await failure;
    await embedder.close();
  });

  it('is given up when it dies twice before it is ready', async () => {
    const opened = await openEmbedder(
      { kind: 'embedded' },
      {
        startSide: (start) =>
          startSideProcess({
            ...start,
            program: new URL('./no-such-file.js', import.meta.url),
          }),
      },
    );
    expect(opened.kind).toBe('none');
  });
});

describe('an embedded model that is unusable', () => {
  const reasonOf = (opened: OpenedEmbedder): string =>
    opened.kind === 'none' ? opened.reason : `open: ${opened.embedder.runtime}`;

  it('is left out with a reason when no engine runs', async () => {
    const opened = await openEmbedder({ kind: 'embedded' }, { engines: [] });
    expect(opened).toEqual({ kind: 'none', reason: 'no engine runs the embedded model here' });
  });

  it.each(['model_int8.onnx', 'tokenizer.json'])(
    'is refused because %s is damaged',
    async (name) => {
      await using folder = await tempFolder();
      await copyModel(folder.path);
      const path = join(folder.path, name);
      const bytes = await readFile(path);
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(path, bytes);
      const reason = reasonOf(
        await openEmbedder({ kind: 'embedded' }, { modelFolder: folder.path }),
      );
      expect(reason).toContain(`${path} is damaged: its sha256 is `);
      expect(reason).toContain('fix: install @plugboard/codebase-model again');
      await writeFile(path, Buffer.concat([bytes, Buffer.from('more')]));
      expect(
        reasonOf(await openEmbedder({ kind: 'embedded' }, { modelFolder: folder.path })),
      ).toContain('that of a larger file');
    },
  );

  it('is refused because its files are missing or its manifest is invalid', async () => {
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

  it('is left out with a reason when embeddings are turned off', async () => {
    expect(reasonOf(await openEmbedder({ kind: 'none' }))).toBe(
      'embeddings are turned off (embedder.kind is "none")',
    );
  });
});
