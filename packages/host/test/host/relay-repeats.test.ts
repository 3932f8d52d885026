// Which requests of a relay are sent again after their server died, with a real process that dies once.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { never, Scope } from '@plugboard/base';
import { tempFolder } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ruledHost } from './ruled-host.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

/** Dies at the first request after the handshake, and answers every later one with an empty result. */
const DIES_ONCE = `
  const { existsSync, writeFileSync } = require('node:fs');
  const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    if (method === 'initialize') {
      const serverInfo = { name: 'mortal', version: '1' };
      send({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } });
    } else if (existsSync(process.argv[1])) {
      send({ id, result: {} });
    } else {
      writeFileSync(process.argv[1], '');
      process.exit(1);
    }
  });
`;

async function outcomeOf(method: string): Promise<unknown> {
  const mark = join(scope.use(await tempFolder()).path, 'mark');
  const mortal = { command: process.execPath, args: ['-e', DIES_ONCE, mark] };
  const { host } = await ruledHost(scope, { user: { mcpServers: { mortal } } });
  const relay = scope.use(
    host.relay({
      clientInfo: { name: 'test', version: '1' },
      capabilities: {},
      request: () => Promise.resolve({ result: {} }),
      notification: () => {},
    }),
  );
  const sent = await relay.request('mortal', { method, params: {} }, { signal: never });
  expect(existsSync(mark)).toBe(true);
  return sent;
}

describe('a request of a relay whose server died meanwhile', () => {
  it.for([
    ...['tools/list', 'prompts/list', 'prompts/get', 'resources/list', 'resources/read'],
    ...['resources/templates/list', 'skills/list', 'skills/get', 'completion/complete'],
  ])('is sent again if it only reads, as %s does', async (method) => {
    expect(await outcomeOf(method)).toMatchObject({ ok: true, value: {} });
  });

  it.for(['example/own', 'logging/setLevel'])('is not sent again if it is %s', async (method) => {
    expect(await outcomeOf(method)).toMatchObject({ ok: false, error: { kind: 'not-connected' } });
  });
});
