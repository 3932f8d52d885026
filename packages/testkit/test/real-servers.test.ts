import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive } from '../src/processes.ts';
import { dbhub, everything, filesystem, memory, startEverythingHttp } from '../src/real-servers.ts';
import { tempFolder } from '../src/temp-folder.ts';
import { modernMeta, RawClient } from './raw-client.ts';

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
};

it('starts the published stdio servers', async () => {
  await using folder = await tempFolder();
  const entries = [everything(), filesystem(folder.path), memory(join(folder.path, 'memory.json'))];
  const answers = await Promise.all(
    entries.map(async (entry) => {
      await using client = new RawClient(entry);
      return (await client.request('initialize', hello)).result?.['serverInfo'];
    }),
  );
  expect(answers).toMatchObject([
    { name: 'mcp-servers/everything' },
    { name: 'secure-filesystem-server' },
    { name: 'memory-server' },
  ]);
});

it('starts a server of the modern era', async () => {
  await using client = new RawClient(dbhub());
  const { result } = await client.request('server/discover', { _meta: modernMeta });
  expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete' });
});

it('starts one on HTTP and stops it again', async () => {
  let pid: number;
  {
    await using server = await startEverythingHttp();
    pid = server.pid;
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
    });
    expect(response.headers.get('mcp-session-id')).not.toBeNull();
    await response.body?.cancel();
  }
  expect(isAlive(pid)).toBe(false);
});
