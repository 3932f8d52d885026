import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Scope, systemClock } from '@plugboard/base';
import { times, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../src/console-client.ts';

/** Sends one comment to each reader, and then nothing. */
async function silentFeed(scope: Scope): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  scope.defer(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('the feed of a gateway in another process', () => {
  verifies('GWY-03');

  it('ends when its reader cancels, also after garbage collection', async () => {
    await using scope = new Scope();
    const client = new ConsoleClient({
      url: await silentFeed(scope),
      token: 't',
      clock: systemClock,
    });
    const leave = new AbortController();
    const reading = (async () => {
      const feed = await client.feed(0, leave.signal);
      const heard: unknown[] = [];
      if (feed.ok) for await (const event of feed.value) heard.push(event);
      return heard;
    })();
    for (let round = 0; round < times(8, 20); round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    leave.abort();
    expect(await reading).toEqual([]);
  });
});
