// Which servers ask for the folders to work in as soon as they are connected, across sessions and runs. The session
// that notices this reports it here; the next session is told, so that its calls wait.

import type { InboundPort } from '../protocol/index.ts';

/** Kept by fingerprint, longer than a host lives. */
export interface RootsMemory {
  isAsking(fingerprint: string): Promise<boolean>;
  note(fingerprint: string, what: 'asked' | 'not-asked'): void;
}

/** What a server may ask, with what is known of how it asks for the folders. */
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
