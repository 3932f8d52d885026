import { systemClock } from '@plugboard/base';
import { ManualClock, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { RequestJson } from '../../src/platform/index.ts';
import { openStore } from '../../src/store/index.ts';
import { QdrantApi } from '../../src/store/qdrant/qdrant-api.ts';

const CALL = { method: 'GET', path: '/x' } as const;

/** Answers by address, and records the requests. */
function scripted(answers: Readonly<Record<string, Awaited<ReturnType<RequestJson>>>>): {
  readonly asked: string[];
  readonly request: RequestJson;
} {
  const asked: string[] = [];
  const request: RequestJson = async ({ url, headers }) => {
    asked.push(`${url} ${headers['api-key'] ?? ''}`.trim());
    return answers[new URL(url).hostname] ?? { kind: 'unreachable', code: 'ECONNREFUSED' };
  };
  return { asked, request };
}

function answered(status: number, body: unknown): Awaited<ReturnType<RequestJson>> {
  return { kind: 'answered', status, retryAfter: undefined, body: JSON.stringify(body) };
}

describe('calling Qdrant', () => {
  verifies('COD-08');

  it('tries the next server when one does not answer, and stays with it', async () => {
    const { asked, request } = scripted({ b: answered(200, { result: 7 }) });
    const urls = ['http://a', 'http://b'];
    const api = new QdrantApi({ urls, apiKey: () => 'key', request, clock: new ManualClock() });
    expect(await api.ask(CALL)).toEqual({ kind: 'done', result: 7 });
    expect(await api.ask(CALL)).toEqual({ kind: 'done', result: 7 });
    expect(asked).toEqual(['http://a/x key', 'http://b/x key', 'http://b/x key']);
  });

  it('does not try another server when one refuses', async () => {
    const refusal = answered(404, { status: { error: 'no such collection' } });
    const { asked, request } = scripted({ a: refusal });
    const urls = ['http://a', 'http://b'];
    const api = new QdrantApi({ urls, apiKey: () => undefined, request, clock: systemClock });
    expect(await api.ask(CALL)).toEqual({
      kind: 'refused',
      status: 404,
      message: 'no such collection',
    });
    await expect(api.result(CALL)).rejects.toMatchObject({ code: 'qdrant-refused' });
    expect(asked).toEqual(['http://a/x', 'http://a/x']);
  });

  it('reports which servers did not answer, and why, without the key', async () => {
    await using folder = await tempFolder();
    const { request } = scripted({ b: answered(503, { status: { error: 'no leader' } }) });
    const opened = await openStore(
      { kind: 'qdrant', url: ['https://a', 'https://b'], apiKeyVariable: 'KEY' },
      { folder: folder.path, rootId: 'r', request, environment: () => 'topsecret' },
    );
    expect(opened).toEqual({
      ok: false,
      error: 'Qdrant does not answer (https://a: ECONNREFUSED; https://b: no leader)',
    });
  });

  it('reports that the variable of the key is not set', async () => {
    const opened = await openStore(
      { kind: 'qdrant', url: 'https://a', apiKeyVariable: 'KEY' },
      { folder: '/nowhere', rootId: 'r', environment: () => undefined },
    );
    expect(opened).toEqual({
      ok: false,
      error: 'store.apiKeyVariable names KEY, which is not set; fix: set it to the key',
    });
  });

  it('gives up on a server that takes too long', async () => {
    const clock = new ManualClock();
    const request: RequestJson = ({ url }, signal) =>
      url.startsWith('http://a')
        ? new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          })
        : Promise.resolve(answered(200, { result: 1 }));
    const urls = ['http://a', 'http://b'];
    const api = new QdrantApi({ urls, apiKey: () => undefined, request, clock, answerMs: 100 });
    const answer = api.ask(CALL);
    await clock.advance(150);
    expect(await answer).toEqual({ kind: 'done', result: 1 });
  });
});
