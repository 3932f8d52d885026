// The gateway beside others that do the same job: how many calls a second, what many clients leave behind, and how soon
// many servers are listed. Each part is a file of its own; this one names them and runs those that were chosen.

import type { Section } from './measure/report.ts';

export const GATEWAY_PARTS = ['calls', 'clients', 'list'] as const;

export type GatewayPart = (typeof GATEWAY_PARTS)[number];

export async function benchmarkGateway(
  parts: readonly GatewayPart[],
  repeats: number | undefined,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const part of parts) sections.push(...(await measure(part, repeats)));
  return sections;
}

async function measure(
  part: GatewayPart,
  repeats: number | undefined,
): Promise<readonly Section[]> {
  switch (part) {
    case 'calls':
      return (await import('./gateway/calls.ts')).benchmarkCalls(repeats);
    case 'clients':
      return (await import('./gateway/clients.ts')).benchmarkClients(repeats);
    case 'list':
      return (await import('./gateway/first-list.ts')).benchmarkFirstList(repeats);
    default:
      return part satisfies never;
  }
}
