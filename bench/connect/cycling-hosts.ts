// Creates a host, lists, calls and closes it, a given number of times. Then reports the heap after garbage collection,
// and the active resources. Requires --expose-gc.

import { allowAll, createHost, type HostOptions } from '@plugboard/host';
import { inProcessServer } from '@plugboard/testkit';
import { answerParent } from '../measure/answer-parent.ts';

export type CycleRoute =
  | { readonly kind: 'in-process' }
  | { readonly kind: 'http'; readonly url: string };

export interface Footprint {
  readonly heapBytes: number;
  /** The active resources, as Node names them. */
  readonly handles: readonly string[];
}

const SETTLE_ROUNDS = 10;
const SETTLE_MS = 20;

answerParent(run, () => process.exit());

async function run(wanted: {
  readonly cycles: number;
  readonly route: CycleRoute;
}): Promise<Footprint> {
  for (let cycle = 0; cycle < wanted.cycles; cycle += 1) await once(wanted.route);
  return settled();
}

async function once(route: CycleRoute): Promise<void> {
  await using host = await createHost({
    files: 'none',
    approve: allowAll,
    ...(await serverOptions(route)),
  });
  const outcome = await host.call({ server: 'echo', tool: 'echo' }, { message: 'hi' });
  if (outcome.kind !== 'result') throw new Error(`the call came to ${JSON.stringify(outcome)}`);
  const { state } = host.servers[0]!;
  if (state.kind !== 'ready') throw new Error(`the server is ${state.kind} after a call`);
}

async function serverOptions(
  route: CycleRoute,
): Promise<Pick<HostOptions, 'servers' | 'inProcess'>> {
  return route.kind === 'in-process'
    ? { inProcess: { echo: await inProcessServer() } }
    : { servers: { echo: { type: 'http', url: route.url } } };
}

/** Lets finalizers run and sockets close. */
async function settled(): Promise<Footprint> {
  let heapBytes = Number.POSITIVE_INFINITY;
  for (let round = 0; round < SETTLE_ROUNDS; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    gc!();
    heapBytes = Math.min(heapBytes, process.memoryUsage().heapUsed);
  }
  return { heapBytes, handles: process.getActiveResourcesInfo() };
}
