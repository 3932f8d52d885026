// Times, in words for people and in ISO 8601 for programs.

const MINUTE_MS = 60_000;
const UNITS = [
  { name: 'day', ms: 24 * 60 * MINUTE_MS },
  { name: 'hour', ms: 60 * MINUTE_MS },
  { name: 'minute', ms: MINUTE_MS },
] as const;

export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

export function dayOf(at: number): string {
  return isoTime(at).slice(0, 10);
}

/** How long ago something was. */
export function ageOf(ms: number): string {
  const unit = UNITS.find((candidate) => ms >= candidate.ms);
  if (unit === undefined) return 'less than a minute ago';
  const count = Math.floor(ms / unit.ms);
  return `${count} ${unit.name}${count === 1 ? '' : 's'} ago`;
}

/** The time until something, rounded to the nearest minute, so that 59.9 minutes are an hour. */
export function remainingOf(ms: number): string {
  const nearest = Math.round(ms / MINUTE_MS) * MINUTE_MS;
  return nearest < MINUTE_MS
    ? 'in less than a minute'
    : `in ${ageOf(nearest).replace(/ ago$/, '')}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${Number((ms / 1000).toFixed(1))} s`;
}
