// Ports for servers that have to be told theirs, or to have the same one again after a restart.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that machines assign to programs that ask for any port, so that none is assigned to another program
 * before it is used.
 */
const [FIRST, LAST] = [20_000, 30_000];

/** One on which nothing listens on this machine. */
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
