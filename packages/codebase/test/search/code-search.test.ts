import { verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Chunker } from '../../src/chunk/index.ts';
import { type Embedder, openEmbedder } from '../../src/embed/index.ts';
import { CodeSearch } from '../../src/search/index.ts';
import { pathTerms, termsOf, traitsOf } from '../../src/words/index.ts';
import { PlainStore } from './plain-store.ts';

const FILES = {
  'src/backoff.ts': `/** How long to wait before the next attempt; doubles each time. */
export function nextDelay(attempt: number): number {
  return Math.min(60_000, 2 ** attempt * 100);
}
`,
  'src/color.ts': `export class Color {
  constructor(readonly red: number, readonly green: number, readonly blue: number) {}
  toHex(): string { return [this.red, this.green, this.blue].map((part) => part.toString(16)).join(''); }
}
`,
  'src/login.py': `def check_password(user, password):
    """Whether the user may sign in with this password."""
    return hash_of(password) == user.password_hash
`,
  'test/color.test.ts': `import { expect, it } from 'vitest';
it('writes a color as hex', () => { expect(new Color(1, 2, 3).toHex()).toBe('123'); });
`,
};

let store: PlainStore;
let embedder: Embedder;

beforeAll(async () => {
  const opened = await openEmbedder({ kind: 'embedded' });
  if (opened.kind === 'none') throw new Error(opened.reason);
  embedder = opened.embedder;
  store = await indexed();
});

afterAll(async () => {
  await embedder.close();
});

/** With vectors for only the first chunks, as while the index is being built. */
async function indexed(vectors = Infinity): Promise<PlainStore> {
  const chunker = new Chunker({ threads: 1 });
  const filled = new PlainStore();
  const signatures: string[] = [];
  for (const [path, text] of Object.entries(FILES)) {
    const { language, chunks } = await chunker.chunk({ path, text });
    signatures.push(...chunks.map(({ signature }) => signature));
    const file = {
      path,
      size: text.length,
      mtimeMs: 0,
      hash: path,
      language,
      traits: traitsOf({ path, text, language }),
      pathTerms: pathTerms(path),
      chunks: chunks.map(({ start, end, signature, ...chunk }) => ({
        ...chunk,
        terms: termsOf(text.slice(start, end)),
        signatureHash: signature,
      })),
    };
    await filled.apply({ put: [file], remove: [] });
  }
  await chunker.close();
  const embedded = signatures.slice(0, vectors);
  const found = await embedder.embedDocuments(embedded);
  await filled.putVectors(
    embedder.id,
    embedded.map((signatureHash, index) => ({ signatureHash, vector: found[index]! })),
  );
  return filled;
}

describe('a question about code', () => {
  verifies('COD-04');

  it('is answered by meaning when it has no word in common with the code', async () => {
    const search = new CodeSearch({ store, embedder });
    const answer = await search.search('verify the credentials of somebody', { maxResults: 1 });
    expect(answer).toMatchObject({ mode: 'hybrid', semanticCoverage: 1 });
    expect(answer.hits).toEqual([
      {
        path: 'src/login.py',
        startLine: 1,
        endLine: 3,
        kind: 'function',
        symbol: 'check_password',
        similarity: expect.any(Number) as number,
        score: expect.any(Number) as number,
        explanation: expect.any(Object) as object,
      },
    ]);
    expect(answer.hits[0]?.similarity).toBeGreaterThan(0);
    expect(answer.hits[0]?.similarity).toBeLessThanOrEqual(1);
  });

  it('ranks code before its tests, the best first, with no more hits than requested', async () => {
    const search = new CodeSearch({ store, embedder });
    const { hits } = await search.search('color as hex', { maxResults: 2 });
    expect(hits.map(({ path }) => path)).toEqual(['src/color.ts', 'test/color.test.ts']);
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
  });

  it('is answered with few hits and low confidence if no chunk is near it', async () => {
    const picky = { id: embedder.id, embedQuery: (text: string) => embedder.embedQuery(text) };
    const ask = (text: string, leastSimilarity: number) =>
      new CodeSearch({ store, embedder: { ...picky, leastSimilarity } }).search(text, {
        maxResults: 9,
      });
    expect(await ask('color as hex', 0)).toMatchObject({ confidence: 'usual' });
    const { confidence, hits } = await ask('color as hex', 1.1);
    expect([confidence, hits.length]).toEqual(['low', 3]);
  });

  it('is answered within the languages and folders that it names', async () => {
    const search = new CodeSearch({ store, embedder });
    const python = await search.search('color', {
      maxResults: 9,
      accepts: (path) => path.endsWith('.py'),
    });
    expect(python.hits.map(({ path }) => path)).toEqual(['src/login.py']);
    const tests = await search.search('color', {
      maxResults: 9,
      accepts: (path) => path.startsWith('test/'),
    });
    expect([...new Set(tests.hits.map(({ path }) => path))]).toEqual(['test/color.test.ts']);
  });

  it('is answered by words alone without an embedder, and the answer states that', async () => {
    const answer = await new CodeSearch({ store }).search('check_password', { maxResults: 1 });
    expect(answer).toMatchObject({
      mode: 'lexical',
      semanticCoverage: 0,
      note: 'there is no embedder',
      hits: [{ path: 'src/login.py', symbol: 'check_password' }],
    });
    expect(answer.hits[0]).not.toHaveProperty('similarity');
  });

  it('is answered by words alone when the embedder fails, and the answer states why', async () => {
    const failing = {
      id: embedder.id,
      embedQuery: () => Promise.reject(new Error('out of memory')),
    };
    const search = new CodeSearch({ store, embedder: failing });
    expect(await search.search('nextDelay', { maxResults: 1 })).toMatchObject({
      mode: 'lexical',
      semanticCoverage: 0,
      note: 'the embedder failed: out of memory',
      hits: [{ path: 'src/backoff.ts' }],
    });
  });

  it('is answered with the share of code that can be found by meaning while the index fills', async () => {
    const search = new CodeSearch({ store: await indexed(1), embedder });
    const { mode, semanticCoverage } = await search.search('color', { maxResults: 1 });
    expect(mode).toBe('hybrid');
    expect(semanticCoverage).toBeCloseTo(1 / (await store.state()).chunks);
    const empty = new CodeSearch({ store: await indexed(0), embedder });
    expect(await empty.search('color', { maxResults: 1 })).toMatchObject({
      mode: 'lexical',
      semanticCoverage: 0,
      note: 'nothing is embedded yet',
    });
  });

  it('is answered with few or no hits when it has no meaningful words', async () => {
    expect(await new CodeSearch({ store }).search('?!', { maxResults: 5 })).toMatchObject({
      hits: [],
    });
    const none = new CodeSearch({ store: new PlainStore(), embedder });
    expect(await none.search('color', { maxResults: 5 })).toMatchObject({
      hits: [],
      mode: 'lexical',
    });
  });

  it('is abandoned when its signal aborts', async () => {
    const search = new CodeSearch({ store, embedder });
    const reason = new Error('enough');
    await expect(search.search('color', { maxResults: 1 }, AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
    const giveUp = new AbortController();
    const waiting = {
      id: embedder.id,
      embedQuery: (_text: string, signal?: AbortSignal) =>
        new Promise<Float32Array>((_, reject) => {
          signal?.addEventListener('abort', () => reject(reason));
          giveUp.abort(reason);
        }),
    };
    await expect(
      new CodeSearch({ store, embedder: waiting }).search(
        'color',
        { maxResults: 1 },
        giveUp.signal,
      ),
    ).rejects.toBe(reason);
  });
});
