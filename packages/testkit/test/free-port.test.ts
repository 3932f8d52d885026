import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from '../src/free-port.ts';

it('a free port can be listened on, and is none that a machine gives away by itself', async () => {
  const port = await freePort();
  const [server, any] = [createServer().listen(port, '127.0.0.1'), createServer().listen(0)];
  await Promise.all([server, any].map((each) => once(each, 'listening')));
  expect((any.address() as AddressInfo).port).toBeGreaterThan(30_000);
  expect(port).toBeLessThan(30_000);
  await Promise.all([server, any].map((each) => once(each.close(), 'close')));
});
