// Remembers, across sessions and runs, which servers request the roots as soon as they are connected. A session records
// this here; the calls of the next session then wait for that request.

import type { InboundPort } from '../protocol/index.ts';

/** Stored by fingerprint, beyond the life of a host. */
export interface RootsMemory {
  isAsking(fingerprint: string): Promise<boolean>;
  note(fingerprint: string, what: 'asked' | 'not-asked'): void;
}

/** The port for inbound requests, with the record of how this server requests the roots. */
export async function rememberingRoots(
  {
    inbound,
    rootsMemory,
  }: { readonly inbound: InboundPort; readonly rootsMemory?: RootsMemory | undefined },
  fingerprint: string | undefined,
): Promise<InboundPort> {
  const { roots } = inbound;
  if (roots === undefined || rootsMemory === undefined || fingerprint === undefined) return inbound;
  const isExpected = await rootsMemory.isAsking(fingerprint);
  return {
    ...inbound,
    roots: {
      list: () => roots.list(),
      watch: (onChange) => roots.watch(onChange),
      early: { isExpected, note: (what) => rootsMemory.note(fingerprint, what) },
    },
  };
}
