// How long it is until something, as people say it: to the nearest minute, so that an hour which has just
// begun is one.

import { ageOf } from './age.ts';

const MINUTE_MS = 60_000;

export function remainingOf(ms: number): string {
  const nearest = Math.round(ms / MINUTE_MS) * MINUTE_MS;
  return nearest < MINUTE_MS
    ? 'in less than a minute'
    : `in ${ageOf(nearest).replace(/ ago$/, '')}`;
}
