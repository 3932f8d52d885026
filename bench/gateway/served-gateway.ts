// A gateway in its own process that reports its address, and its heap after garbage collection. The argument is its
// servers as JSON. Requires --expose-gc.

import { createGateway } from '@plugboard/gateway';
import type { HostOptions } from '@plugboard/host';
import { answerParent } from '../measure/answer-parent.ts';

export interface Held {
  readonly port: number;
  readonly heapBytes: number;
  /** The active resources, as Node names them; each child process is one. */
  readonly handles: readonly string[];
}

const SETTLE_ROUNDS = 15;
const SETTLE_MS = 100;

const servers = JSON.parse(process.argv[2] ?? '{}') as NonNullable<HostOptions['servers']>;
const gateway = await createGateway({
  host: { files: 'none', permissions: { allow: ['*/*'] }, servers },
});
const { url } = await gateway.listen({});
answerParent(held, () => void gateway.close().then(() => process.exit()));

/** Lets servers end and sockets close. */
async function held(): Promise<Held> {
  let heapBytes = Number.POSITIVE_INFINITY;
  for (let round = 0; round < SETTLE_ROUNDS; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    gc!();
    heapBytes = Math.min(heapBytes, process.memoryUsage().heapUsed);
  }
  return { port: Number(new URL(url).port), heapBytes, handles: process.getActiveResourcesInfo() };
}
