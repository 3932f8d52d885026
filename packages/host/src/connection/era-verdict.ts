// Which era a server was found to speak, how long that verdict is valid, and which failures refute it. Pure:
// `EraMemory` stores verdicts.

import type { Instant } from '@plugboard/base';
import { type Era, type Launch, openingEra, type ProtocolFailure } from '../protocol/index.ts';

export interface EraVerdict {
  readonly era: Era;
  /** When it was determined. */
  readonly at: Instant;
}

/** Verdicts by fingerprint, kept longer than a host lives. */
export interface EraMemory {
  recall(fingerprint: string): Promise<EraVerdict | undefined>;
  remember(fingerprint: string, verdict: EraVerdict): void;
  forget(fingerprint: string): void;
}

/** Servers are updated: after a day the era is determined again. */
const FRESH_MS = 24 * 60 * 60_000;

export function isFresh({ at }: EraVerdict, now: Instant): boolean {
  const age = now - at;
  return age >= 0 && age < FRESH_MS;
}

/**
 * What a failure that followed from a verdict says about it: `keep`, it has nothing to do with the era;
 * `drop`, it may have, but there is no time left to find out; `reopen`, try without it.
 */
export function judge(failure: ProtocolFailure): 'keep' | 'drop' | 'reopen' {
  switch (failure.kind) {
    case 'command-not-found':
    case 'not-executable':
    case 'bad-cwd':
    case 'spawn-failed':
    case 'broker-failed':
    case 'unreachable':
    case 'unauthorized':
    case 'credentials-expired':
    case 'cancelled':
    case 'unsupported-transport':
    case 'still-installing':
    case 'runtime-too-old':
    case 'answers-untaken':
      return 'keep';
    case 'timeout':
      return 'drop';
    case 'http':
      return failure.status >= 500 ? 'keep' : 'reopen';
    case 'exited':
    case 'broken-frame':
    case 'closed':
    case 'session-expired':
    case 'not-mcp':
    case 'rpc':
    case 'too-large':
    case 'invalid-result':
    case 'wrong-era':
    case 'unexpected':
      return 'reopen';
    default:
      return failure satisfies never;
  }
}

/** The era that an attempt speaks first: a probe is made in the modern one. */
export function firstEra(launch: Launch): Era {
  const era = openingEra(launch);
  return era === 'auto' ? 'modern' : era;
}
