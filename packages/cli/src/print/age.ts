// How long ago something was, as people say it.

const MINUTE_MS = 60_000;
const UNITS = [
  { name: 'day', ms: 24 * 60 * MINUTE_MS },
  { name: 'hour', ms: 60 * MINUTE_MS },
  { name: 'minute', ms: MINUTE_MS },
] as const;

export function ageOf(ms: number): string {
  const unit = UNITS.find((candidate) => ms >= candidate.ms);
  if (unit === undefined) return 'less than a minute ago';
  const count = Math.floor(ms / unit.ms);
  return `${count} ${unit.name}${count === 1 ? '' : 's'} ago`;
}
