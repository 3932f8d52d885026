import { systemClock } from '@plugboard/base';
import { tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HostLine } from '../../../src/protocol/shared/host-line.ts';

/** Both ends of a socket between a host and a broker. */
async function given() {
  const folder = await tempFolder();
  const path = join(folder.path, 'x.sock');
  const server = createServer().listen(path);
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const host = connect(path);
  host.on('error', () => {});
  const [socket] = await accepted;
  const seen = { messages: [] as unknown[], terms: [] as unknown[], isGone: false };
  const line = new HostLine(socket, {
    clock: systemClock,
    onTerms: (terms) => seen.terms.push(terms),
    onMessage: (message) => seen.messages.push(message),
    onGone: () => {
      seen.isGone = true;
    },
  });
  return {
    host,
    line,
    seen,
    async [Symbol.asyncDispose]() {
      host.destroy();
      socket.destroy();
      server.close();
      await once(server, 'close');
      await folder[Symbol.asyncDispose]();
    },
  };
}

const REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('the connection of a broker to a host', () => {
  verifies('CON-12');

  it('is closed if the host does not read', async () => {
    await using line = await given();
    line.host.pause();
    const text = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 64 && !line.seen.isGone; count += 1) {
      line.line.deliver({ jsonrpc: '2.0', id: count, result: { text } });
    }
    await waitUntil(() => line.seen.isGone, { describe: 'the host to be cut off' });
  });

  it('is closed if a client sends before it was admitted', async () => {
    await using line = await given();
    line.host.write(`${JSON.stringify(REQUEST)}\n`);
    await waitUntil(() => line.seen.isGone, { describe: 'the line to be cut' });
    expect(line.seen.messages).toEqual([]);
  });

  it('passes on messages of an admitted host, and control messages', async () => {
    await using line = await given();
    line.line.join();
    line.host.write(`${JSON.stringify(REQUEST)}\nno message\n{"plugboard":"stop"}\n`);
    await waitUntil(() => line.seen.terms.length > 0, { describe: 'all to be heard' });
    expect(line.seen).toEqual({
      messages: [REQUEST],
      terms: [{ plugboard: 'stop' }],
      isGone: false,
    });
  });

  it('is closed if a line never ends', async () => {
    await using line = await given();
    line.line.join();
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 18; count += 1) line.host.write(piece);
    line.host.write('\n');
    await waitUntil(() => line.seen.isGone, { describe: 'the line to be cut' });
  });
});
