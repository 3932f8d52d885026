import { gzipSync } from 'node:zlib';
import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { type Clock, Scope, systemClock } from '@plugboard/base';
import { ManualClock, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type FetchProblem,
  FetchRefused,
  guardedFetch,
  type GuardedFetchOptions,
} from '../../../src/protocol/index.ts';
import { type Answer, redirects, says, startWebServer, type WebServer } from './web-server.ts';

const SECRETS = {
  authorization: 'Bearer t0ken',
  cookie: 'session=t0ken',
  dpop: 't0ken',
  'proxy-authorization': 'Basic t0ken',
  'x-api-key': 't0ken',
};
const HARMLESS = { accept: 'application/json', 'mcp-protocol-version': '2026-07-28' };

/** The fetch for a server on this machine. */
function fetchAtHome(options: Partial<GuardedFetchOptions> = {}) {
  const homes = [new URL('http://127.0.0.1:3000/mcp')];
  return guardedFetch({ network: undefined, homes, clock: systemClock, ...options });
}

/** Why the request was refused, or the answer if it was not. */
async function refusalOf(fetching: Promise<Response>): Promise<FetchProblem | string> {
  try {
    return await (await fetching).text();
  } catch (thrown) {
    if (thrown instanceof FetchRefused) return thrown.data;
    throw thrown;
  }
}

/** Two servers: the first one redirects to the second. */
async function startPair(scope: Scope, status: number): Promise<readonly [WebServer, WebServer]> {
  const second = await startWebServer(scope, says('second'));
  const first = await startWebServer(scope, redirects(`${second.origin}/there?x=1`, status));
  return [first, second];
}

describe('a guarded request', () => {
  it('returns the same as fetch', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response) => {
      response.writeHead(404, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
      response.end('{"error":"no"}');
    });
    const url = `${server.origin}/token?x=1`;
    const response = await fetchAtHome()(url, {
      method: 'POST',
      headers: SECRETS,
      body: new URLSearchParams({ code: 'a b' }),
    });
    expect(response).toBeInstanceOf(Response);
    expect([response.url, response.status, response.statusText, response.ok]).toEqual([
      url,
      404,
      'Not Found',
      false,
    ]);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toEqual({ error: 'no' });
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        path: '/token?x=1',
        headers: { ...SECRETS, 'content-type': expect.stringContaining('urlencoded') as string },
        body: 'code=a+b',
      },
    ]);
  });

  it('may have an empty answer', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response) => response.writeHead(204).end());
    const response = await fetchAtHome()(new URL(server.origin));
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('works with the discovery of the SDK', async () => {
    await using scope = new Scope();
    const metadata = (resource: string): Answer =>
      says(JSON.stringify({ resource, authorization_servers: ['https://auth.example.com/'] }));
    const server = await startWebServer(scope, (response, request) =>
      request.path.endsWith('/moved')
        ? metadata('http://127.0.0.1:3000/mcp')(response, request)
        : redirects('/moved', 307)(response, request),
    );
    const found = await discoverOAuthProtectedResourceMetadata(
      `${server.origin}/mcp`,
      {},
      fetchAtHome(),
    );
    expect(found.resource).toBe('http://127.0.0.1:3000/mcp');
  });

  it('that fails is reported, without possible secrets in its URL', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response) => response.destroy());
    const url = `${server.origin}/a/b?code=t0ken#t0ken`;
    const failing = fetchAtHome()(url);
    expect(await refusalOf(failing)).toEqual({
      kind: 'unreachable',
      code: 'UND_ERR_SOCKET',
      url: `${server.origin}/a/b`,
    });
    await expect(failing).rejects.toMatchObject({
      code: 'fetch-refused',
      message: `${server.origin}/a/b was not fetched: it cannot be reached (UND_ERR_SOCKET)`,
    });
  });
});

describe('the answer to a guarded request', () => {
  verifies('AUT-11');

  it('may have as many bytes as allowed, and not one more', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('x'.repeat(1000)));
    const most = await fetchAtHome({ maxBytes: 1000 })(server.origin);
    expect((await most.text()).length).toBe(1000);
    expect(await refusalOf(fetchAtHome({ maxBytes: 999 })(server.origin))).toEqual({
      kind: 'too-large',
      limit: 999,
      url: `${server.origin}/`,
    });
  });

  it('is limited to a mebibyte, also if it never ends', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(await refusalOf(fetchAtHome()(server.origin))).toMatchObject({
      kind: 'too-large',
      limit: 1_048_576,
    });
  });

  it('is decompressed, and measured after that', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response, { path }) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(path === '/bomb' ? Buffer.alloc(50_000_000) : 'small'));
    });
    const small = await fetchAtHome()(server.origin);
    expect([await small.text(), small.headers.get('content-encoding')]).toEqual(['small', null]);
    expect(await refusalOf(fetchAtHome()(`${server.origin}/bomb`))).toMatchObject({
      kind: 'too-large',
    });
  });
});

describe('the timeout of a guarded request', () => {
  verifies('AUT-11');

  /** The outcome ten seconds after the condition came true. */
  async function later(
    start: (clock: Clock) => Promise<Response>,
    condition: () => boolean,
  ): Promise<unknown> {
    const clock = new ManualClock();
    const outcome = refusalOf(start(clock));
    await waitUntil(condition, { describe: 'the server to be asked' });
    await clock.advance(10_000);
    return outcome;
  }

  it('applies if the server does not answer', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, () => {});
    const outcome = await later(
      (clock) => fetchAtHome({ clock })(server.origin),
      () => server.asked.length > 0,
    );
    expect(outcome).toEqual({ kind: 'timed-out', ms: 10_000, url: `${server.origin}/` });
  });

  it('applies if the answer arrives slowly', async () => {
    await using scope = new Scope();
    let drops = 0;
    const server = await startWebServer(scope, (response) => {
      const drip = (): void => {
        drops += 1;
        response.write('x', () => setImmediate(drip));
      };
      response.once('close', () => (drops = -Infinity));
      drip();
    });
    const outcome = await later(
      (clock) => fetchAtHome({ clock, maxBytes: 2 ** 40 })(server.origin),
      () => drops > 3,
    );
    expect(outcome).toMatchObject({ kind: 'timed-out' });
    await waitUntil(() => drops < 0, { describe: 'the connection to end' });
  });

  it('applies if the host name takes long to resolve', async () => {
    let lookups = 0;
    const resolve = (): Promise<never> => {
      lookups += 1;
      return new Promise(() => {});
    };
    const outcome = await later(
      (clock) => fetchAtHome({ clock, resolve })('https://slow.example.com'),
      () => lookups > 0,
    );
    expect(outcome).toMatchObject({ kind: 'timed-out' });
  });

  it('may be cut short by the caller', async () => {
    await using scope = new Scope();
    const cancelling = new AbortController();
    const server = await startWebServer(scope, () => cancelling.abort(new Error('enough')));
    const fetching = fetchAtHome()(server.origin, { signal: cancelling.signal });
    await expect(fetching).rejects.toThrow('enough');
    await expect(fetchAtHome()(server.origin, { signal: cancelling.signal })).rejects.toThrow(
      'enough',
    );
    expect(server.asked.length).toBe(1);
  });
});

describe('a redirect of a guarded request', () => {
  verifies('AUT-11');

  it('to the same origin keeps everything', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response, request) =>
      (request.path === '/to' ? says('here') : redirects('/to', 307))(response, request),
    );
    const init = { method: 'POST', headers: SECRETS, body: 'a=1' };
    const response = await fetchAtHome()(`${server.origin}/from`, init);
    expect([await response.text(), response.url]).toEqual(['here', `${server.origin}/to`]);
    expect(server.asked[1]).toMatchObject({ method: 'POST', headers: SECRETS, body: 'a=1' });
  });

  it('to another origin carries no credential header, and does not restore it later', async () => {
    await using scope = new Scope();
    let back = '';
    const second = await startWebServer(
      scope,
      redirects(() => back),
    );
    const first = await startWebServer(scope, (response, request) =>
      (request.path === '/back' ? says('done') : redirects(second.origin))(response, request),
    );
    back = `${first.origin}/back`;
    const response = await fetchAtHome()(first.origin, { headers: { ...SECRETS, ...HARMLESS } });
    expect(await response.text()).toBe('done');
    expect(first.asked[0]?.headers).toMatchObject({ ...SECRETS, ...HARMLESS });
    for (const { headers } of [...second.asked, ...first.asked.slice(1)]) {
      expect(headers).toMatchObject(HARMLESS);
      expect(JSON.stringify(headers)).not.toContain('t0ken');
    }
    expect([first.asked.length, second.asked.length]).toEqual([2, 1]);
  });

  it.each([301, 302, 303, 307, 308])(
    'of a body to another origin is refused: %s',
    async (status) => {
      await using scope = new Scope();
      const [first, second] = await startPair(scope, status);
      const fetching = fetchAtHome()(first.origin, { method: 'POST', body: 'code=t0ken' });
      expect(await refusalOf(fetching)).toEqual({
        kind: 'redirected',
        why: 'with-a-body',
        url: `${first.origin}/`,
      });
      expect(second.connections()).toBe(0);
    },
  );

  it('with 303 sends no body', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response, request) =>
      (request.path === '/to' ? says('here') : redirects('/to', 303))(response, request),
    );
    await fetchAtHome()(`${server.origin}/from`, { method: 'POST', body: 'code=t0ken' });
    expect(server.asked[1]).toMatchObject({ method: 'GET', body: '' });
    expect(server.asked[1]?.headers).not.toHaveProperty('content-type');
  });

  it.each([
    ['https://10.0.0.1/', 'address'],
    ['https://169.254.169.254/latest/meta-data', 'address'],
    ['http://169.254.169.254/latest/meta-data', 'scheme'],
    ['https://[fd00:ec2::254]/', 'address'],
    ['https://0xa9fea9fe/', 'address'],
    ['http://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https://user:t0ken@example.com/', 'credentials'],
    ['//user@127.0.0.1/', 'credentials'],
    ['https://metadata.google.internal/', 'inner-name'],
  ])('is judged like any other URL: %s', async (location, kind) => {
    await using scope = new Scope();
    const server = await startWebServer(scope, redirects(location));
    const outcome = await refusalOf(fetchAtHome()(server.origin));
    expect(outcome).toMatchObject({ kind });
    expect(JSON.stringify(outcome)).not.toContain('t0ken');
  });

  it('may follow another one, but not without end', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, (response, request) => {
      const left = Number(request.path.slice(1));
      (left === 0 ? says('here') : redirects(`/${left - 1}`))(response, request);
    });
    expect(await refusalOf(fetchAtHome()(`${server.origin}/3`))).toBe('here');
    expect(await refusalOf(fetchAtHome()(`${server.origin}/4`))).toEqual({
      kind: 'redirected',
      why: 'too-often',
      url: `${server.origin}/4`,
    });
  });

  it('is returned to a caller with manual redirects', async () => {
    await using scope = new Scope();
    const [first, second] = await startPair(scope, 307);
    const response = await fetchAtHome()(first.origin, { redirect: 'manual' });
    const location = `${second.origin}/there?x=1`;
    expect([response.status, response.headers.get('location')]).toEqual([307, location]);
    expect(await refusalOf(fetchAtHome()(first.origin, { redirect: 'error' }))).toMatchObject({
      kind: 'redirected',
      why: 'unwanted',
    });
    expect(second.connections()).toBe(0);
  });
});
