// How many threads can run at once on this machine, as far as this process may use it.

import { availableParallelism } from 'node:os';

export function processorCount(): number {
  return availableParallelism();
}

/** How many threads leave one core to others. */
export function spareCores(): number {
  return Math.max(1, processorCount() - 1);
}
