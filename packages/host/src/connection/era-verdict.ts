// The era that a server was found to speak, and how long that verdict is valid. Pure: `ConnectionMemory` stores verdicts,
// and `factsOf` decides whether a failure refutes one.

import type { Instant } from '@plugboard/base';
import { type Era, type Launch, openingEra } from '../protocol/index.ts';

export interface EraVerdict {
  readonly era: Era;
  /** When it was determined. */
  readonly at: Instant;
}

/** After this the era is determined again, since the server may have been updated. */
const FRESH_MS = 24 * 60 * 60_000;

export function isFresh({ at }: EraVerdict, now: Instant): boolean {
  const age = now - at;
  return age >= 0 && age < FRESH_MS;
}

/** The era in which an attempt begins: probes use the modern one. */
export function firstEra(launch: Launch): Era {
  const era = openingEra(launch);
  return era === 'auto' ? 'modern' : era;
}
