import { Scope } from '@plugboard/base';
import { startScriptedHttp, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverOf } from '../cells.ts';
import { attackedGateway, untilListed } from './attacked-gateway.ts';
import {
  answerIn,
  initialize,
  JSON_HEADERS,
  modernRequest,
  RawSession,
  send,
  sendBytes,
} from './raw-http.ts';

const TOKEN = 'token-of-ada-0123456789';
const AS_ADA = { Authorization: `Bearer ${TOKEN}` };

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

describe('names and origins', () => {
  verifies('GWY-01');

  it.each([
    ['a foreign name', 'evil.example'],
    ['a foreign name that begins like this machine', 'localhost.evil.example'],
    ['a foreign name that ends like this machine', 'evil-localhost'],
    ['an address in a foreign name', '127.0.0.1.nip.example:80'],
    ['a user before the name', 'localhost@evil.example'],
  ])('refuses every method for %s', async (_, host) => {
    const { url } = await attackedGateway(scope);
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const answer = await send(url, { method, headers: { ...JSON_HEADERS, Host: host } });
      expect([method, answer.status]).toEqual([method, 403]);
    }
  });

  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:4711', '[::1]:80', 'box.example:8080'])(
    'admits %s, one of its own host names',
    async (host) => {
      const { url } = await attackedGateway(scope, { address: { hosts: ['Box.example'] } });
      expect((await initialize(url, { Host: host })).status).toBe(200);
    },
  );

  it('refuses two host names, a target that contains a host name, and HTTP/1.0 without one', async () => {
    const { url } = await attackedGateway(scope);
    const heads = [
      'GET /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      'GET http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      'GET http://localhost/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      'GET /mcp HTTP/1.0\r\n\r\n',
    ];
    for (const head of heads) {
      const text = await sendBytes(url, head);
      expect([head, text.split('\r\n')[0]]).toEqual([head, 'HTTP/1.1 403 Forbidden']);
    }
  });

  it.each([
    ['a foreign page', 'https://evil.example'],
    ['a page of no origin', 'null'],
    ['a page on the same machine', 'http://localhost:3000'],
    ['a page that the gateway could have served', 'http://127.0.0.1'],
    ['the allowed origin in another case', 'HTTPS://PAGES.EXAMPLE'],
    ['the allowed origin with a port', 'https://pages.example:8443'],
    ['the allowed origin twice', ['https://pages.example', 'https://pages.example']],
    ['the allowed origin and a foreign one', ['https://pages.example', 'https://evil.example']],
  ])('refuses %s, and says nothing to a browser about sharing', async (_, origin) => {
    const { url } = await attackedGateway(scope, {
      address: { origins: ['https://pages.example'] },
    });
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const headers = { ...JSON_HEADERS, Origin: origin, 'Access-Control-Request-Method': 'POST' };
      const answer = await send(url, { method, headers });
      expect([method, answer.status]).toEqual([method, 403]);
      const shared = Object.keys(answer.headers).filter((name) =>
        name.startsWith('access-control'),
      );
      expect(shared).toEqual([]);
    }
  });

  it.each(['cross-site', 'same-site'])(
    'refuses requests that a page causes without an origin, such as images (%s)',
    async (site) => {
      const { url } = await attackedGateway(scope);
      for (const path of ['/mcp', '/sse']) {
        const headers = { Accept: '*/*', 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'no-cors' };
        const answer = await send(new URL(path, url).href, { method: 'GET', headers });
        expect([path, answer.status]).toEqual([path, 403]);
      }
    },
  );

  it('admits a client with an allowed origin', async () => {
    const { url } = await attackedGateway(scope, {
      address: { origins: ['https://pages.example'] },
    });
    expect((await initialize(url, { Origin: 'https://pages.example' })).status).toBe(200);
  });

  it('admits a client whose origin is the address of the gateway itself', async () => {
    const { url } = await attackedGateway(scope);
    expect((await initialize(url, { Origin: new URL(url).origin })).status).toBe(200);
  });
});

describe('tokens', () => {
  verifies('GWY-01');

  const address = { tokens: new Map([[TOKEN, 'ada']]) };

  it.each<[string, Record<string, string | string[]>, string]>([
    ['no token', {}, ''],
    ['a wrong token', { Authorization: `Bearer ${TOKEN}x` }, ''],
    ['the beginning of a token', { Authorization: `Bearer ${TOKEN.slice(0, -1)}` }, ''],
    ['a token in another scheme', { Authorization: `Basic ${TOKEN}` }, ''],
    ['two tokens', { Authorization: [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`] }, ''],
    ['two tokens in one header', { Authorization: `Bearer ${TOKEN}, Bearer ${TOKEN}` }, ''],
    ['a token in the query', {}, `?token=${TOKEN}&access_token=${TOKEN}`],
    ['a token in a cookie', { Cookie: `token=${TOKEN}` }, ''],
  ])('refuses %s on every method and address', async (_, headers, query) => {
    const { url } = await attackedGateway(scope, { address });
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      for (const path of ['', '/one', '/nothing/here']) {
        const answer = await send(`${url}${path}${query}`, {
          method,
          headers: { ...JSON_HEADERS, ...headers },
        });
        expect([method, path, answer.status]).toEqual([method, path, 401]);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    }
  });

  it('never sends the token of a client to a server: in no header, message, variable or log', async () => {
    const http = scope.use(await startScriptedHttp());
    const logged: string[] = [];
    const { url } = await attackedGateway(scope, {
      address,
      logger: { log: (...entry) => void logged.push(JSON.stringify(entry)) },
      host: { servers: { web: { type: 'http', url: http.url }, local: serverOf('legacy') } },
    });
    await untilListed(url, ['web__echo', 'local__env'], AS_ADA);
    const session = await RawSession.begin(url, { headers: AS_ADA });
    const legacy = [
      await session.post({ id: 1, method: 'tools/list' }),
      await session.post({ id: 2, method: 'tools/call', params: { name: 'local__env' } }),
      await session.post({
        id: 3,
        method: 'tools/call',
        params: { name: 'web__echo', arguments: { message: 'legacy' } },
      }),
    ];
    const params = { name: 'web__echo', arguments: { message: 'modern' } };
    const modern = await send(url, modernRequest({ params, headers: AS_ADA }));
    expect([...legacy, modern].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(JSON.stringify(answerIn(modern))).toContain('modern');
    const seen = http.requests.map(({ headers, path, body }) =>
      JSON.stringify([headers, path, body]),
    );
    const calls = http.requests.filter(({ rpcMethod }) => rpcMethod === 'tools/call');
    expect(calls.length).toBe(2);
    for (const shown of [...seen, ...logged, ...legacy.map(({ text }) => text)]) {
      expect(shown).not.toContain(TOKEN);
    }
  });
});
