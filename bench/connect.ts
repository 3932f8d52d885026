// What connections are worth when there are many of them, and when servers are slow, broken, stubborn
// or killed. Each part is a file of its own; this one names them and runs those that were chosen.

import type { Section } from './measure/report.ts';

export const CONNECT_PARTS = ['lazy', 'remote', 'close', 'cycles', 'kills'] as const;

/** Those that look for processes in /proc. */
export const LINUX_PARTS: readonly ConnectPart[] = ['close', 'kills'];

export type ConnectPart = (typeof CONNECT_PARTS)[number];

export interface ConnectOptions {
  readonly repeats: number | undefined;
  /** What the random points of `kills` follow from. */
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
