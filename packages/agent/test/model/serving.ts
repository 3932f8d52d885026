// A web server on loopback with the answers of a test, which closes all its connections at the end.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function serving(
  answer: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
