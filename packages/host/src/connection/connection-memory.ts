// What is remembered of a server across sessions and runs: the era that it speaks, and whether it requests the roots as
// soon as it is connected. A session records the latter here; the calls of the next session then wait for that request.

import type { InboundPort } from '../protocol/index.ts';
import type { EraVerdict } from './era-verdict.ts';

/** Stored by fingerprint, beyond the life of a host. */
export interface ConnectionMemory {
  verdict(fingerprint: string): Promise<EraVerdict | undefined>;
  /** Without a verdict, the stored one is removed. */
  saveVerdict(fingerprint: string, verdict: EraVerdict | undefined): void;
  asksRoots(fingerprint: string): Promise<boolean>;
  noteRoots(fingerprint: string, what: 'asked' | 'not-asked'): void;
}

/** The port for inbound requests, with the record of how this server requests the roots. */
export async function rememberingRoots(
  {
    inbound,
    memory,
  }: { readonly inbound: InboundPort; readonly memory?: ConnectionMemory | undefined },
  fingerprint: string | undefined,
): Promise<InboundPort> {
  const { roots } = inbound;
  if (roots === undefined || memory === undefined || fingerprint === undefined) return inbound;
  const isExpected = await memory.asksRoots(fingerprint);
  return {
    ...inbound,
    roots: {
      list: () => roots.list(),
      watch: (onChange) => roots.watch(onChange),
      early: { isExpected, note: (what) => memory.noteRoots(fingerprint, what) },
    },
  };
}
