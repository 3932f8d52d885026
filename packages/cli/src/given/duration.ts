// Parses a typed duration: `1500` and `1500ms` are milliseconds, `30s` seconds, `2m` minutes.

import { UsageError } from '../usage-error.ts';

const UNITS = { '': 1, ms: 1, s: 1000, m: 60_000 } as const;
const LONGEST_MS = 24 * 60 * 60_000;

export function millisecondsIn(flag: string, text: string): number {
  const [, number = '', unit] = /^(\d+(?:\.\d+)?)(ms|s|m|)$/.exec(text) ?? [];
  const ms =
    unit === undefined
      ? Number.NaN
      : Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]);
  if (ms >= 1 && ms <= LONGEST_MS) return ms;
  throw new UsageError(
    `${flag} takes a time of up to a day, not "${text}"`,
    `write milliseconds, or seconds or minutes with their unit: ${flag} 30s`,
  );
}
