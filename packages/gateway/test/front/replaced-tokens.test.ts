// A gateway whose tokens are replaced while clients are connected.

import { once } from 'node:events';
import { Scope } from '@plugboard/base';
import { scriptedServer } from '@plugboard/testkit';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../src/index.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const BEFORE = 'token-of-before-1234';
const AFTER = 'token-from-now-on-12';

function bearer(token: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

/** 401 if the token is refused, otherwise the error of an invalid request. */
async function statusOf(url: URL | string, token: string): Promise<number> {
  const sent = { method: 'POST', headers: { ...bearer(token), 'X-Plugboard-Console': '1' } };
  const response = await fetch(url, { ...sent, body: '{' });
  await response.body?.cancel();
  return response.status;
}

describe('tokens that are replaced', () => {
  it('are refused from then on, and their connections are closed', async () => {
    const host = { files: 'none', servers: { one: scriptedServer() } } as const;
    const gateway = scope.use(await createGateway({ host }));
    const listening = await gateway.listen({
      tokens: new Map([[BEFORE, 'user']]),
      console: {},
    });
    const { url } = listening;
    const console = new URL('/console/api/launch', url);
    expect([await statusOf(url, BEFORE), await statusOf(console, BEFORE)]).not.toContain(401);
    const socket = new WebSocket(url.replace('http', 'ws'), 'mcp', { headers: bearer(BEFORE) });
    await once(socket, 'open');
    const stream = await fetch(new URL('/sse', url), { headers: bearer(BEFORE) });
    const reader = stream.body?.getReader();
    await reader?.read();
    const closed = once(socket, 'close');
    listening.replaceTokens(new Map([[AFTER, 'user']]));
    await closed;
    await expect(reader?.read()).rejects.toThrow();
    expect([await statusOf(url, BEFORE), await statusOf(console, BEFORE)]).toEqual([401, 401]);
    expect([await statusOf(url, AFTER), await statusOf(console, AFTER)]).not.toContain(401);
  });
});
