import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { type Clock, Emitter } from '@plugboard/base';
import { ManualClock, tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Codebase, createCodebase } from '../../src/index.ts';
import type { IndexProgress } from '../../src/indexing/index.ts';
import { openParts } from '../../src/server/open-parts.ts';
import type { CodeIndex } from '../../src/server/parts/codebase-parts.ts';
import { type Cell, newClient } from './cells.ts';

const ERAS: readonly Cell['era'][] = ['legacy', 'modern'];

let place: TempFolder;

beforeEach(async () => {
  place = await tempFolder();
  await place.write('tree/src/retry.ts', 'export function retry(): void {\n  // again\n}\n');
  await place.write(
    'tree/src/long.ts',
    `export const long = [\n${'  "xxxxxxxxxx",\n'.repeat(2000)}];\n`,
  );
});
afterEach(() => place[Symbol.asyncDispose]());

const settings = () => ({ root: join(place.path, 'tree'), cacheFolder: join(place.path, 'cache') });

async function connected(codebase: Codebase, era: Cell['era']): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = newClient(era);
  await codebase.server().connect(theirs);
  await client.connect(ours);
  return client;
}

/** A codebase with real parts, except for the index, which the test supplies. */
function codebaseWith(
  search: CodeIndex['search'],
  given: {
    readonly coverage: number;
    readonly progress?: Emitter<IndexProgress>;
    readonly clock?: Clock;
  },
): Codebase {
  const progress = given.progress ?? new Emitter<IndexProgress>(() => {});
  return createCodebase({
    ...settings(),
    clock: given.clock,
    async open(chosen, ports) {
      const opened = await openParts(chosen, ports);
      const state = {
        kind: given.coverage < 1 ? ('indexing' as const) : ('ready' as const),
        files: 2,
        chunks: 2,
        semanticCoverage: given.coverage,
        readShare: 1,
        unread: [],
      };
      const { index } = opened.parts;
      const real = {
        symbols: (signal: AbortSignal) => index.symbols(signal),
        begin: () => index.begin(),
        status: () => index.status(),
      };
      const own = {
        state: () => Promise.resolve(state),
        onProgress: (listener: (step: IndexProgress) => void) => progress.on(listener),
      };
      return {
        parts: { ...opened.parts, index: { ...real, ...own, search } },
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      };
    },
  });
}

const RETRY = {
  path: 'src/retry.ts',
  startLine: 1,
  endLine: 3,
  kind: 'function',
  symbol: 'retry',
  similarity: 0.75,
  score: 0.03,
} as const;

describe.each(ERAS)('a codebase in process, %s', (era) => {
  verifies('COD-01');

  it('gives every connection its own session', async () => {
    await using codebase = createCodebase(settings());
    const clients = await Promise.all([connected(codebase, era), connected(codebase, era)]);
    for (const client of clients) expect((await client.listTools()).tools).toHaveLength(11);
    await clients[0]?.close();
    expect((await clients[1]?.listTools())?.tools).toHaveLength(11);
  });

  it('answers by meaning, with the code of each chunk and the coverage', async () => {
    const asked: unknown[] = [];
    await using codebase = codebaseWith(
      (text, { maxResults, globs, languages }) => {
        asked.push({ text, maxResults, globs, languages });
        return Promise.resolve({
          hits: [RETRY],
          semanticCoverage: 0.37,
          mode: 'hybrid',
          confidence: 'usual',
          readShare: 1,
          isComparing: false,
        });
      },
      { coverage: 0.37 },
    );
    const client = await connected(codebase, era);
    const found = await client.callTool({
      name: 'search_by_embedding',
      arguments: { query: 'try again', globs: ['src/**'] },
    });
    expect(found._meta?.['plugboard/data']).toEqual({
      results: [
        {
          path: 'src/retry.ts',
          start_line: 1,
          end_line: 3,
          kind: 'function',
          symbol: 'retry',
          similarity: 0.75,
          score: 0.03,
          text: 'export function retry(): void {\n  // again\n}\n',
        },
      ],
      mode: 'hybrid',
      confidence: 'usual',
      read_share: 1,
      semantic_coverage: 0.37,
    });
    expect(found.content).toMatchObject([{ text: expect.stringContaining('37 %') as unknown }]);
    expect(asked).toEqual([
      { text: 'try again', maxResults: 10, globs: ['src/**'], languages: undefined },
    ]);
  });

  it('bounds the code in one answer, and leaves out files that are gone', async () => {
    verifies('COD-07');
    const long = { ...RETRY, path: 'src/long.ts', endLine: 2002, symbol: 'long' };
    const gone = { ...RETRY, path: 'src/gone.ts' };
    const hits = [gone, ...Array.from({ length: 100 }, () => long)];
    await using codebase = codebaseWith(
      (_, { maxResults }) =>
        Promise.resolve({
          hits: hits.slice(0, maxResults),
          semanticCoverage: 1,
          mode: 'hybrid',
          confidence: 'usual',
          readShare: 1,
          isComparing: false,
        }),
      { coverage: 1 },
    );
    const client = await connected(codebase, era);
    const found = await client.callTool({
      name: 'search_by_embedding',
      arguments: { query: 'long', max_results: 100_000 },
    });
    const data = found._meta?.['plugboard/data'];
    const { results } = data as {
      results: { text?: string; is_cut: boolean }[];
    };
    expect(results).toHaveLength(99);
    expect(results.every(({ is_cut }) => is_cut)).toBe(true);
    const shown = results.reduce((sum, { text = '' }) => sum + text.length, 0);
    expect(shown).toBeLessThanOrEqual(32_000);
    expect(shown).toBeGreaterThan(20_000);
  });

  it('reports the progress of indexing while a question waits for it', async () => {
    const progress = new Emitter<IndexProgress>(() => {});
    const told: (string | undefined)[] = [];
    let answer: () => void = () => {};
    await using codebase = codebaseWith(
      async () => {
        const answered = new Promise<void>((resolve) => (answer = resolve));
        progress.emit({ phase: 'reading', done: 5, total: 9 });
        await answered;
        return {
          hits: [],
          semanticCoverage: 1,
          mode: 'lexical',
          confidence: 'usual',
          readShare: 1,
          isComparing: false,
        };
      },
      { coverage: 0, progress },
    );
    const client = await connected(codebase, era);
    await client.callTool(
      { name: 'search_by_embedding', arguments: { query: 'anything' } },
      {
        onprogress: ({ message }) => {
          told.push(message);
          if (message === 'reading: 5 of 9') answer();
        },
      },
    );
    expect(told).toContain('reading: 5 of 9');
  });

  it('answers index_status at once if there is no index to wait for', async () => {
    // No server listens on the port of `discard`.
    const store = { kind: 'qdrant', url: 'http://127.0.0.1:9' } as const;
    await using codebase = createCodebase({ ...settings(), store });
    const client = await connected(codebase, era);
    const asked = { name: 'index_status', arguments: { wait_seconds: 100 } };
    const { _meta, content } = await client.callTool(asked);
    expect(_meta?.['plugboard/data']).toMatchObject({ phase: 'off', files: 0 });
    expect(content).toMatchObject([{ text: expect.stringContaining('there is no index') }]);
  });

  it('aborts the search when its question is aborted', async () => {
    let seen: AbortSignal | undefined;
    await using codebase = codebaseWith(
      (_, __, signal) => {
        seen = signal;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('given up')));
        });
      },
      { coverage: 1 },
    );
    const client = await connected(codebase, era);
    const controller = new AbortController();
    const asked = client.callTool(
      { name: 'search_by_embedding', arguments: { query: 'anything' } },
      { signal: controller.signal, onprogress: () => controller.abort() },
    );
    await expect(asked).rejects.toBeDefined();
    await expect.poll(() => seen?.aborted).toBe(true);
  });

  it('answers a search that is requested as a resource', async () => {
    await using codebase = codebaseWith(
      () =>
        Promise.resolve({
          hits: [RETRY],
          semanticCoverage: 1,
          mode: 'hybrid',
          confidence: 'usual',
          readShare: 1,
          isComparing: false,
        }),
      { coverage: 1 },
    );
    const client = await connected(codebase, era);
    const { contents } = await client.readResource({ uri: 'codebase://search/try%20again' });
    const [first] = contents;
    expect(JSON.parse(first !== undefined && 'text' in first ? first.text : '')).toEqual({
      query: 'try again',
      mode: 'hybrid',
      confidence: 'usual',
      read_share: 1,
      semantic_coverage: 1,
      results: [{ path: 'src/retry.ts', start_line: 1, end_line: 3, symbol: 'retry', score: 0.03 }],
    });
  });

  it('returns an internal failure as text that a model can act on', async () => {
    await using codebase = codebaseWith(() => Promise.reject(new Error('the index is broken')), {
      coverage: 1,
    });
    const client = await connected(codebase, era);
    const found = await client.callTool({ name: 'search_by_embedding', arguments: { query: 'x' } });
    expect(found).toMatchObject({
      isError: true,
      content: [{ text: 'search_by_embedding failed: the index is broken' }],
    });
  });
});

describe('a codebase', () => {
  it('aborts a call after two minutes, and reports that', async () => {
    const clock = new ManualClock();
    let isAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    await using codebase = codebaseWith(
      () => {
        isAsked();
        return new Promise(() => {});
      },
      { coverage: 1, clock },
    );
    const client = await connected(codebase, 'legacy');
    const found = client.callTool({ name: 'search_by_embedding', arguments: { query: 'x' } });
    await asked;
    await clock.advance(120_000);
    expect(await found).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('two minutes') as unknown }],
    });
  });

  it('refuses a connection while its folder is missing, and tries again for the next one', async () => {
    const root = join(place.path, 'later');
    await using codebase = createCodebase({ ...settings(), root });
    await expect(connected(codebase, 'legacy')).rejects.toMatchObject({ code: 'root-gone' });
    await place.write('later/a.txt', 'x');
    const client = await connected(codebase, 'legacy');
    expect((await client.listTools()).tools).toHaveLength(11);
  });

  it('can be closed twice, ends its sessions, and accepts no new ones', async () => {
    const codebase = createCodebase(settings());
    const client = await connected(codebase, 'legacy');
    const closed = new Promise<void>((resolve) => (client.onclose = resolve));
    await codebase.close();
    await codebase.close();
    await closed;
    await expect(connected(codebase, 'legacy')).rejects.toMatchObject({ code: 'codebase-closed' });
  });

  it('reports that its root has disappeared', async () => {
    await using codebase = createCodebase(settings());
    const client = await connected(codebase, 'legacy');
    await client.listTools();
    await rm(join(place.path, 'tree'), { recursive: true });
    for (const [name, args] of [
      ['search_code', { query: 'x' }],
      ['read_file', { path: 'src/retry.ts' }],
      ['list_directory', { path: '.' }],
    ] as const) {
      const result = await client.callTool({ name, arguments: args });
      expect(result).toMatchObject({ isError: true });
    }
    await expect(client.readResource({ uri: 'codebase://files' })).rejects.toMatchObject({
      code: -32_603,
    });
  });
});
