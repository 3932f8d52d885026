import type { ServerResponse } from 'node:http';
import type { Clock } from '@plugboard/base';
import { ManualClock, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type Embedder,
  type EmbedderPorts,
  type EmbedderSettings,
  type OpenAiSettings,
  openEmbedder,
} from '../../src/embed/index.ts';
import {
  type Answer,
  type EmbeddingServer,
  ollamaAnswer,
  openAiAnswer,
  startEmbeddingServer,
  status,
  vectorFor,
} from './embedding-server.ts';

const KEY = 'sk-secret';
const environment = (name: string): string | undefined =>
  name === 'EXAMPLE_KEY' ? KEY : undefined;

async function open(settings: EmbedderSettings, ports: EmbedderPorts = {}): Promise<Embedder> {
  const opened = await openEmbedder(settings, { environment, random: () => 0, ...ports });
  if (opened.kind === 'none') throw new Error(opened.reason);
  return opened.embedder;
}

function openAi(server: EmbeddingServer, more: Partial<OpenAiSettings> = {}): OpenAiSettings {
  return {
    kind: 'openai',
    url: server.url,
    model: 'm',
    apiKeyVariable: 'EXAMPLE_KEY',
    dimensions: 3,
    ...more,
  };
}

function unit(values: readonly number[]): Float32Array {
  return Float32Array.from(values.map((value) => value / Math.hypot(...values)));
}

const NOW = Date.UTC(2026, 0, 1);

/** A clock on which no request times out, and waits end at once. */
function patientClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => NOW,
    elapsed: () => 0,
    after(ms, task) {
      const isTimeLimit = ms === 15_000 || ms === 60_000;
      if (!isTimeLimit) {
        waits.push(ms);
        queueMicrotask(task);
      }
      return { [Symbol.dispose]() {} };
    },
  };
}

describe('a server with the OpenAI API', () => {
  verifies('COD-04');

  it('receives the key and returns vectors, in order and of length one', async () => {
    await using server = await startEmbeddingServer(openAiAnswer);
    const embedder = await open(openAi(server));
    expect(await embedder.embedDocuments(['a', 'bbb'])).toEqual([
      unit(vectorFor('a')),
      unit(vectorFor('bbb')),
    ]);
    expect(await embedder.embedQuery('cc')).toEqual(unit(vectorFor('cc')));
    expect(await embedder.embedDocuments([])).toEqual([]);
    expect(server.requests.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/v1/embeddings', body: { model: 'm', input: ['a', 'bbb'], dimensions: 3 } },
      { path: '/v1/embeddings', body: { model: 'm', input: ['cc'], dimensions: 3 } },
    ]);
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
    await embedder.close();
  });

  it('may be configured with a version in its address, and without the vector size', async () => {
    await using server = await startEmbeddingServer(openAiAnswer);
    const embedder = await open({ kind: 'openai', url: `${server.url}/v1/`, model: 'm' });
    expect(embedder.dimensions).toBe(3);
    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/v1/embeddings', { model: 'm', input: ['dimensions'] }],
    ]);
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
    await embedder.close();
  });

  it('has separate vectors for each address, model and size', async () => {
    await using server = await startEmbeddingServer(openAiAnswer);
    const ids = await Promise.all(
      [{}, { model: 'n' }, { dimensions: 4 }, { url: `${server.url}/other` }, {}].map(
        async (more) => (await open(openAi(server, more))).id,
      ),
    );
    expect(new Set(ids).size).toBe(4);
    expect(ids[4]).toBe(ids[0]);
  });

  it('is not opened without its key', async () => {
    const settings = { kind: 'openai', url: 'http://127.0.0.1:1', model: 'm' } as const;
    expect(await openEmbedder({ ...settings, apiKeyVariable: 'NOT_SET' }, { environment })).toEqual(
      {
        kind: 'none',
        reason: 'embedder.apiKeyVariable names NOT_SET, which is not set; fix: set it to the key',
      },
    );
  });

  it('receives many texts in several requests, none too large', async () => {
    await using server = await startEmbeddingServer(openAiAnswer);
    const embedder = await open(openAi(server));
    const texts = Array.from({ length: 150 }, (_, index) => 'x'.repeat(index + 1));
    expect(await embedder.embedDocuments(texts)).toEqual(
      texts.map((text) => unit(vectorFor(text))),
    );
    expect(
      server.requests.map(({ body }) => body.input.length).toSorted((one, other) => one - other),
    ).toEqual([22, 64, 64]);
    server.requests.length = 0;
    await embedder.embedDocuments(Array.from({ length: 10 }, () => 'y'.repeat(1_000_000)));
    const lengths = server.requests.map(({ body }) => body.input.map(({ length }) => length));
    // The order of arrival is random.
    expect(lengths.toSorted((one, other) => other.length - one.length)).toEqual([
      Array.from({ length: 6 }, () => 32_000),
      Array.from({ length: 4 }, () => 32_000),
    ]);
  });
});

describe('a busy embedding server', () => {
  it.each<[string, Answer, number]>([
    ['429 with seconds to wait', status(429, { 'retry-after': '20' }), 20_000],
    [
      '429 with a date',
      status(429, { 'retry-after': new Date(NOW + 30_000).toUTCString() }),
      30_000,
    ],
    ['429 with nonsense', status(429, { 'retry-after': 'soon' }), 250],
    ['500', status(500), 250],
    ['503', status(503), 250],
  ])(
    '%s: the request is repeated after the stated time, or after a default',
    async (_, busy, waitMs) => {
      await using server = await startEmbeddingServer(openAiAnswer);
      server.next.push(busy);
      const clock = patientClock();
      const embedder = await open(openAi(server), { clock });
      expect(await embedder.embedDocuments(['a'])).toEqual([unit(vectorFor('a'))]);
      expect(server.requests).toHaveLength(2);
      expect(clock.waits).toEqual([waitMs]);
    },
  );

  it('is given up, sooner for a question than for documents', async () => {
    await using server = await startEmbeddingServer(status(500));
    const clock = patientClock();
    const embedder = await open(openAi(server), { clock });
    const failure = {
      code: 'embedder-failed',
      message: 'the server at embedder.url has a problem (500)',
    };
    await expect(embedder.embedDocuments(['a'])).rejects.toMatchObject(failure);
    expect(clock.waits).toEqual([250, 500, 1_000, 2_000]);
    await expect(embedder.embedQuery('a')).rejects.toMatchObject(failure);
    expect(server.requests).toHaveLength(5 + 2);
  });

  it('is given up at once when it asks to wait for an hour', async () => {
    await using server = await startEmbeddingServer(status(429, { 'retry-after': '3600' }));
    const embedder = await open(openAi(server), { clock: patientClock() });
    await expect(embedder.embedDocuments(['a'])).rejects.toMatchObject({
      message: 'the server at embedder.url wants fewer requests (429)',
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe('an embedding server with wrong answers', () => {
  const json =
    (value: unknown): Answer =>
    (_, response) =>
      void response.end(JSON.stringify(value));
  const vectors = (...embeddings: unknown[]): Answer =>
    json({ data: embeddings.map((embedding, index) => ({ index, embedding })) });

  it.each<[string, Answer, string]>([
    [
      '401',
      status(401),
      'the server at embedder.url refuses the key (401); fix: check the variable that embedder.apiKeyVariable names',
    ],
    [
      '404',
      status(404),
      'embedder.url or embedder.model is not known there (404); fix: check both',
    ],
    [
      '400',
      status(400),
      'the server at embedder.url refuses the request (400); fix: check embedder.model and embedder.dimensions',
    ],
    [
      'other dimensions',
      vectors([1, 2, 3, 4]),
      'embedder.model gives vectors of 4 dimensions instead of 3; fix: set embedder.dimensions to what the model gives',
    ],
    [
      'a page',
      (_, response) => void response.end('<html>'),
      'embedder.url does not answer as a server for embeddings does; fix: check embedder.url',
    ],
    [
      'two vectors for one text',
      vectors([1, 2, 3], [1, 2, 3]),
      'embedder.url answers with 2 vectors for 1 texts',
    ],
    [
      'no numbers',
      vectors(['1', 2, 3]),
      'embedder.url answers with something that is not a vector',
    ],
    ['zeros', vectors([0, 0, 0]), 'embedder.url answers with something that is not a vector'],
    [
      'numbers too large',
      vectors([1e300, 1, 1]),
      'embedder.url answers with something that is not a vector',
    ],
    [
      'an index beyond the list',
      json({ data: [{ index: 1e9, embedding: [1, 2, 3] }] }),
      'embedder.url answers with something that is not a vector',
    ],
  ])('%s: the error names the setting, and no secret', async (_, answer, message) => {
    await using server = await startEmbeddingServer(answer);
    const embedder = await open(openAi(server));
    const failure = await embedder.embedQuery('a').catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'embedder-failed', message });
    expect(message).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });

  it('is not followed when it redirects: the key and the texts go nowhere else', async () => {
    await using elsewhere = await startEmbeddingServer(openAiAnswer);
    await using server = await startEmbeddingServer(
      status(307, { location: `${elsewhere.url}/v1/embeddings` }),
    );
    const embedder = await open(openAi(server));
    await expect(embedder.embedQuery('a')).rejects.toMatchObject({
      message:
        'embedder.url answers with a redirect (307), which is not followed; fix: give the address it leads to',
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it('is disconnected when its answer never ends', async () => {
    let connection: ServerResponse | undefined;
    await using server = await startEmbeddingServer((_, response) => {
      connection = response;
      const piece = 'x'.repeat(1024 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    });
    const embedder = await open(openAi(server));
    await expect(embedder.embedQuery('a')).rejects.toMatchObject({
      message: 'embedder.url answers with more than 33554432 bytes',
    });
    await waitUntil(() => connection?.destroyed === true, {
      describe: 'the end of the connection',
    });
  });

  it('is given up after the timeout when it never answers', async () => {
    await using server = await startEmbeddingServer(() => {});
    const clock = new ManualClock();
    const embedder = await open(openAi(server), { clock });
    const asked = embedder.embedQuery('a');
    await waitUntil(() => server.requests.length === 1, { describe: 'the request' });
    await Promise.all([
      expect(asked).rejects.toMatchObject({
        message: 'the server at embedder.url did not answer within 15000 ms',
      }),
      clock.advance(15_000),
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it('is disconnected when the caller aborts or the embedder is closed', async () => {
    await using server = await startEmbeddingServer(() => {});
    const embedder = await open(openAi(server));
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const unwanted = embedder.embedDocuments(['a'], controller.signal);
    const waiting = embedder.embedQuery('b');
    await waitUntil(() => server.requests.length === 2, { describe: 'both requests' });
    controller.abort(reason);
    await expect(unwanted).rejects.toBe(reason);
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'embedder-closed' }),
      embedder.close(),
    ]);
    await embedder.close();
    await expect(embedder.embedQuery('c')).rejects.toMatchObject({ code: 'embedder-closed' });
  });
});

describe('Ollama', () => {
  it('is called through its own API', async () => {
    await using server = await startEmbeddingServer(ollamaAnswer);
    const embedder = await open({ kind: 'ollama', url: server.url, model: 'nomic' });
    expect(embedder.dimensions).toBe(3);
    expect(await embedder.embedDocuments(['a', 'bb'])).toEqual(
      ['a', 'bb'].map((text) => unit(vectorFor(text))),
    );
    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/api/embed', { model: 'nomic', input: ['dimensions'], truncate: true }],
      ['/api/embed', { model: 'nomic', input: ['a', 'bb'], truncate: true }],
    ]);
    await embedder.close();
  });

  it('is not opened without the model or when it is not running, and the reason says what to do', async () => {
    await using server = await startEmbeddingServer(status(404));
    expect(await openEmbedder({ kind: 'ollama', url: server.url, model: 'nomic' })).toEqual({
      kind: 'none',
      reason: 'embedder.url or embedder.model is not known there (404); fix: ollama pull nomic',
    });
    const { url } = server;
    await server[Symbol.asyncDispose]();
    const clock = patientClock();
    expect(await openEmbedder({ kind: 'ollama', url, model: 'n' }, { clock })).toEqual({
      kind: 'none',
      reason: 'embedder.url cannot be reached (ECONNREFUSED)',
    });
  });
});
