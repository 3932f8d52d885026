// How long it is until something, as people say it.

import { ageOf } from './age.ts';

export function remainingOf(ms: number): string {
  return ms < MINUTE_MS ? 'in less than a minute' : `in ${ageOf(ms).replace(/ ago$/, '')}`;
}

const MINUTE_MS = 60_000;
