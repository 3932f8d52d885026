import { describe, expect, it } from 'vitest';
import type { AnsweredRequest, AuthorizationPort } from '../../src/protocol/index.ts';
import { authorizedFetch } from '../../src/protocol/transport/authorized-fetch.ts';
import { FailureError } from '../../src/protocol/neutral/failure.ts';

const URL_OF_SERVER = 'https://mcp.example/mcp';

interface SentRequest {
  readonly url: string;
  readonly authorization: string | null;
}

function fetching(port: Partial<AuthorizationPort>, answers: readonly Response[]) {
  const sent: SentRequest[] = [];
  const left = [...answers];
  const authorization: AuthorizationPort = {
    headersFor: () => Promise.resolve({ Authorization: 'Bearer token' }),
    judge: () => Promise.resolve({ kind: 'pass' }),
    ...port,
  };
  const send = (url: string | URL, init?: RequestInit) => {
    sent.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization') });
    return Promise.resolve(left.shift() ?? new Response(null, { status: 401 }));
  };
  const launch = { kind: 'http', url: URL_OF_SERVER, headers: {}, era: 'legacy' } as const;
  return { sent, fetch: authorizedFetch(send, { ...launch, authorization }) };
}

describe('a request with credentials', () => {
  it('has the headers for its own origin, and for no other', async () => {
    const { fetch, sent } = fetching({}, [new Response(), new Response(), new Response()]);
    await fetch(URL_OF_SERVER);
    await fetch('https://mcp.example/other');
    await fetch('https://elsewhere.example/mcp');
    expect(sent.map(({ authorization }) => authorization)).toEqual([
      'Bearer token',
      'Bearer token',
      null,
    ]);
  });

  it('is repeated after a refusal if newer credentials may help', async () => {
    const said =
      'Bearer error="insufficient_scope", scope="a b", resource_metadata="https://mcp.example/m"';
    const refused = new Response(null, { status: 403, headers: { 'www-authenticate': said } });
    const judged: AnsweredRequest[] = [];
    const { fetch, sent } = fetching(
      {
        judge(answer) {
          judged.push({ ...answer, repeats: [...answer.repeats] });
          return Promise.resolve(
            answer.status === 403 ? { kind: 'repeat', why: 'widened' } : { kind: 'pass' },
          );
        },
      },
      [refused, new Response('fine')],
    );
    expect(await (await fetch(URL_OF_SERVER, { method: 'POST', body: '{}' })).text()).toBe('fine');
    expect(sent.length).toBe(2);
    expect(judged.map(({ challenge, repeats }) => ({ challenge, repeats }))).toEqual([
      {
        challenge: {
          error: 'insufficient_scope',
          scope: 'a b',
          resourceMetadataUrl: new URL('https://mcp.example/m'),
          wantsNonce: false,
        },
        repeats: [],
      },
      { challenge: { wantsNonce: false }, repeats: ['widened'] },
    ]);
  });

  it('is not repeated forever', async () => {
    const { fetch, sent } = fetching(
      { judge: () => Promise.resolve({ kind: 'repeat', why: 'renewed' }) },
      [],
    );
    await expect(fetch(URL_OF_SERVER)).rejects.toThrow(FailureError);
    expect(sent.length).toBe(6);
  });
});
