// A gateway in a process of its own that says where it listens, and what it holds once all garbage is gone. Its servers
// are its argument, as JSON. Wants --expose-gc.

import { createGateway } from '@plugboard/gateway';
import type { HostOptions } from '@plugboard/host';
import { answerParent } from '../measure/answer-parent.ts';

export interface Held {
  readonly port: number;
  readonly heapBytes: number;
  /** As Node names what keeps the process alive; each process that it started is one. */
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

/** Servers that are just ending and sockets that are just closing get their turns. */
async function held(): Promise<Held> {
  let heapBytes = Number.POSITIVE_INFINITY;
  for (let round = 0; round < SETTLE_ROUNDS; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    gc!();
    heapBytes = Math.min(heapBytes, process.memoryUsage().heapUsed);
  }
  return { port: Number(new URL(url).port), heapBytes, handles: process.getActiveResourcesInfo() };
}
