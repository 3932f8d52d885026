import { describe, expect, it } from 'vitest';
import { EmbeddingQueue, type SettledJob } from '../../src/embed/embedding-queue.ts';
import type { Engine } from '../../src/embed/engine.ts';
import type { Tokenizer } from '../../src/embed/tokenizer.ts';

/** A text's tokens are its characters, each with its code. */
const tokenizer: Tokenizer = {
  encode: (text, maxTokens) =>
    Int32Array.from(Array.from(text, (character) => character.codePointAt(0)!).slice(0, maxTokens)),
};

/** Answers with `[id, 1]` for each token, and notes which texts ran together. */
function recordingEngine(): Engine & { readonly batches: string[][] } {
  const batches: string[][] = [];
  return {
    runtime: 'recording',
    batches,
    async run(rows) {
      const texts = rows.map((row) => String.fromCodePoint(...row));
      if (texts.includes('broken')) throw new Error('cannot run this');
      batches.push(texts);
      const length = Math.max(...rows.map((row) => row.length));
      const values = new Float32Array(rows.length * length * 2).fill(999);
      rows.forEach((row, index) =>
        row.forEach((id, at) => values.set([id, 1], (index * length + at) * 2)),
      );
      return { values, length };
    },
  };
}

function queueOver(engine: Engine): EmbeddingQueue {
  return new EmbeddingQueue({
    engine,
    tokenizer,
    dimensions: 2,
    maxTokens: { query: 160, document: 96 },
  });
}

async function finish(queue: EmbeddingQueue): Promise<SettledJob[]> {
  const settled: SettledJob[] = [];
  while (!queue.isIdle) settled.push(...(await queue.step()));
  return settled;
}

const long = (letter: string): string => letter.repeat(96);

describe('the queue of texts to embed', () => {
  it('gives each text its own vector, whichever batch it ran in, without padding', async () => {
    const queue = queueOver(recordingEngine());
    queue.add({ id: 1, purpose: 'document', texts: ['ccc', 'a', 'bb'] });
    const unit = (id: number): number[] => [id, 1].map((value) => value / Math.hypot(id, 1));
    const [settled] = await finish(queue);
    const expected = Float32Array.from(['c', 'a', 'b'].flatMap((c) => unit(c.codePointAt(0)!)));
    expect(settled).toEqual({ kind: 'done', id: 1, vectors: expected });
  });

  it('runs a question before documents that were queued earlier', async () => {
    const engine = recordingEngine();
    const queue = queueOver(engine);
    queue.add({ id: 1, purpose: 'document', texts: Array.from({ length: 24 }, () => long('d')) });
    await queue.step();
    queue.add({ id: 2, purpose: 'query', texts: ['q'] });
    expect(await queue.step()).toMatchObject([{ kind: 'done', id: 2 }]);
    await finish(queue);
    expect(engine.batches.map((batch) => batch[0]![0])).toEqual(['d', 'q', 'd', 'd']);
  });

  it('does no further work for an aborted job', async () => {
    const engine = recordingEngine();
    const queue = queueOver(engine);
    queue.add({ id: 1, purpose: 'document', texts: Array.from({ length: 1000 }, () => long('a')) });
    queue.add({ id: 2, purpose: 'document', texts: [long('b')] });
    await queue.step();
    queue.cancel(1);
    expect(await finish(queue)).toMatchObject([{ kind: 'done', id: 2 }]);
    expect(engine.batches.map((batch) => batch.length)).toEqual([8, 1]);
  });

  it('runs texts of several jobs together', async () => {
    const engine = recordingEngine();
    const queue = queueOver(engine);
    for (let id = 1; id <= 4; id += 1) queue.add({ id, purpose: 'document', texts: ['x', 'y'] });
    expect((await finish(queue)).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(engine.batches).toHaveLength(1);
  });

  it('fails the jobs of a batch that fails, and continues with the others', async () => {
    const queue = queueOver(recordingEngine());
    queue.add({ id: 1, purpose: 'query', texts: ['broken'] });
    queue.add({ id: 2, purpose: 'document', texts: ['fine'] });
    expect(await finish(queue)).toMatchObject([
      { kind: 'failed', id: 1, message: 'cannot run this' },
      { kind: 'done', id: 2 },
    ]);
  });

  it('settles a job without texts at once', async () => {
    const queue = queueOver(recordingEngine());
    queue.add({ id: 1, purpose: 'document', texts: [] });
    expect(await finish(queue)).toEqual([{ kind: 'done', id: 1, vectors: new Float32Array(0) }]);
  });
});
