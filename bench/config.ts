// What configuration costs: reading it when there is much of it, following it while it changes, and changing
// it from two sides.
// Each part is a file of its own; this one names them and runs those that were chosen.

import type { Section } from './measure/report.ts';

export const CONFIG_PARTS = ['resolve', 'reload', 'edits'] as const;

export type ConfigPart = (typeof CONFIG_PARTS)[number];

export async function benchmarkConfig(
  parts: readonly ConfigPart[],
  repeats: number | undefined,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const part of parts) sections.push(...(await measure(part, repeats)));
  return sections;
}

async function measure(part: ConfigPart, repeats: number | undefined): Promise<readonly Section[]> {
  switch (part) {
    case 'resolve':
      return (await import('./config/resolve.ts')).benchmarkResolve(repeats);
    case 'reload':
      return (await import('./config/reload.ts')).benchmarkReload(repeats);
    case 'edits':
      return (await import('./config/edits.ts')).benchmarkEdits();
    default:
      return part satisfies never;
  }
}
