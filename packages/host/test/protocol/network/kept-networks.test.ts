import { once } from 'node:events';
import { connect } from 'node:net';
import { Scope, systemClock } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import { guardedFetch, type GuardedFetchOptions } from '../../../src/protocol/index.ts';
import { KeptNetworks } from '../../../src/protocol/network/kept-networks.ts';
import type { Network } from '../../../src/protocol/network/network.ts';
import { says, startWebServer } from './web-server.ts';

const HOME = new URL('http://127.0.0.1:3000/mcp');

function keeping(scope: Scope, options: Partial<GuardedFetchOptions> = {}) {
  const kept = new KeptNetworks(2);
  scope.defer(() => kept.close());
  return guardedFetch({ network: undefined, homes: [HOME], clock: systemClock, kept, ...options });
}

describe('a kept connection', () => {
  it('is used again for the same host', async () => {
    await using scope = new Scope();
    const server = await startWebServer(scope, says('hello'));
    const fetching = keeping(scope);
    for (let times = 0; times < 5; times += 1) {
      expect(await (await fetching(`${server.origin}/${times}`)).text()).toBe('hello');
    }
    expect(server.asked.length).toBe(5);
    expect(server.connections()).toBeLessThan(5);
  });

  it('is not used again if the name now resolves to another address', async () => {
    verifies('AUT-11');
    await using scope = new Scope();
    const server = await startWebServer(scope, says('hello'));
    const dialled: unknown[] = [];
    let address = '127.0.0.1';
    const fetching = keeping(scope, {
      resolve: () => Promise.resolve([address]),
      // Every address is dialled on this machine.
      dial: async ({ addresses }) => {
        dialled.push(addresses);
        const socket = connect(server.port, '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      },
    });
    const url = `http://app.localhost:${server.port}/`;
    expect((await fetching(url)).status).toBe(200);
    address = '10.0.0.1';
    await expect(fetching(url)).rejects.toMatchObject({ data: { kind: 'address', address } });
    expect(dialled).toEqual([['127.0.0.1']]);
    expect(server.asked.length).toBe(1);
  });

  it('that was closed in the meantime is replaced, if nothing was sent', async () => {
    await using scope = new Scope();
    let cuts = 0;
    const server = await startWebServer(scope, (response, request) => {
      const isSecond = request.path === '/second' && cuts === 0;
      if (!isSecond) return says('hello')(response, request);
      cuts += 1;
      response.destroy();
    });
    const fetching = keeping(scope);
    await fetching(`${server.origin}/first`);
    expect(await (await fetching(`${server.origin}/second`)).text()).toBe('hello');
    cuts = 0;
    const sending = fetching(`${server.origin}/second`, { method: 'POST', body: 'once' });
    await expect(sending).rejects.toMatchObject({ data: { kind: 'unreachable' } });
    expect(server.asked.filter(({ method }) => method === 'POST').length).toBe(1);
  });
});

describe('kept networks', () => {
  function counting() {
    const closed: string[] = [];
    const open = (name: string) => (): Network => ({
      fetch: () => Promise.reject(new Error('not used')),
      connect: () => Promise.reject(new Error('not used')),
      close: () => Promise.resolve(void closed.push(name)),
    });
    return { open, closed };
  }

  it('are the most recently used, up to the limit, and those in use', async () => {
    const { open, closed } = counting();
    const kept = new KeptNetworks(1);
    const used = kept.take('a', open('a'));
    for (const place of ['b', 'c']) {
      const lease = kept.take(place, open(place));
      expect(lease.isKept).toBe(false);
      await lease[Symbol.asyncDispose]();
    }
    expect(closed).toEqual(['b', 'c']);
    const again = kept.take('a', open('another a'));
    expect(again.isKept).toBe(true);
    expect(again.network).toBe(used.network);
    await again[Symbol.asyncDispose]();
    await used[Symbol.asyncDispose]();
    expect(closed).toEqual(['b', 'c']);
    await kept.close();
    expect(closed).toEqual(['b', 'c', 'a']);
  });

  it('are all dropped when they are closed', async () => {
    const { open, closed } = counting();
    const kept = new KeptNetworks(5);
    await kept.close();
    await kept.take('late', open('late'))[Symbol.asyncDispose]();
    expect(closed).toEqual(['late']);
  });
});
