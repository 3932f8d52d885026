// Ports for servers that need a given port, or the same port again after a restart.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so that the system does not assign a port to another program before it is used. */
const [FIRST, LAST] = [20_000, 30_000];

/** Finds a port on which nothing listens on this machine. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
