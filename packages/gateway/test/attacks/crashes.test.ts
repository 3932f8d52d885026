// A client that crashes a server must not affect others.

import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway, serverOf } from '../cells.ts';
import { JSON_HEADERS, send } from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

/** Calls a tool in a new session. */
async function callWith(token: string, url: string, name: string): Promise<string> {
  const authorized = { ...JSON_HEADERS, Authorization: `Bearer ${token}` };
  const clientInfo = { name: 'raw', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await send(url, {
    headers: authorized,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
  });
  const headers = { ...authorized, 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) };
  const params = { name, arguments: { message: 'hi' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  return (await send(url, { headers, body })).text;
}

describe('a server that the clients of one token crash again and again', () => {
  verifies('GWY-01');

  it('is no longer started for them, and serves the clients of another token', async () => {
    const servers = { one: serverOf('legacy', { builtIns: ['echo', 'exit'] }) };
    const { gateway } = await openGateway(scope, { servers });
    await gateway.host.tools();
    const [mallory, bob] = ['token-of-mallory', 'token-of-bob-kahn'];
    const tokens = new Map([
      [mallory, 'mallory'],
      [bob, 'bob'],
    ]);
    const { url } = await gateway.listen({ tokens });
    for (const _ of [1, 2, 3, 4, 5]) await callWith(mallory, url, 'one__exit');
    expect(await callWith(mallory, url, 'one__echo')).toContain('crashed 5 times');
    expect(await callWith(bob, url, 'one__echo')).toContain('"text":"hi"');
  });
});
