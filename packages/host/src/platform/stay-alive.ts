// Keeps Node from ending while something must still be finished. Timers of the clock never do that.

import { MessageChannel } from 'node:worker_threads';

/** Keeps the process alive until disposed. An open port does so, at no cost while no message is sent. */
export function stayAlive(): Disposable {
  const { port1 } = new MessageChannel();
  port1.ref();
  return { [Symbol.dispose]: () => port1.close() };
}
