// Measures many connections, and connections to servers that are slow, broken, unresponsive or killed. Each part has
// its own file; this one lists them and runs the chosen ones.

import type { Section } from './measure/report.ts';

export const CONNECT_PARTS = ['lazy', 'remote', 'close', 'cycles', 'kills'] as const;

/** Parts that read /proc. */
export const LINUX_PARTS: readonly ConnectPart[] = ['close', 'kills'];

export type ConnectPart = (typeof CONNECT_PARTS)[number];

export interface ConnectOptions {
  readonly repeats: number | undefined;
  /** The seed of the random points of `kills`. */
  readonly seed: number;
}

export async function benchmarkConnect(
  parts: readonly ConnectPart[],
  options: ConnectOptions,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const part of parts) sections.push(...(await measure(part, options)));
  return sections;
}

async function measure(
  part: ConnectPart,
  { repeats, seed }: ConnectOptions,
): Promise<readonly Section[]> {
  switch (part) {
    case 'lazy':
      return (await import('./connect/lazy.ts')).benchmarkLazy(repeats);
    case 'remote':
      return (await import('./connect/remote.ts')).benchmarkRemote(repeats);
    case 'close':
      return (await import('./connect/closing.ts')).benchmarkClosing(repeats);
    case 'cycles':
      return (await import('./connect/cycles.ts')).benchmarkCycles();
    case 'kills':
      return (await import('./connect/kills.ts')).benchmarkKills(seed);
    default:
      return part satisfies never;
  }
}
