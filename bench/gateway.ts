// The gateway compared with other gateways: calls per second, leaks of many clients, and the time to list many servers.
// Each part has its own file; this one lists them and runs the chosen ones.

import type { Section } from './measure/report.ts';

export const GATEWAY_PARTS = ['calls', 'clients', 'list'] as const;

export type GatewayPart = (typeof GATEWAY_PARTS)[number];

/** A failing part does not affect the others. */
export async function benchmarkGateway(
  parts: readonly GatewayPart[],
  repeats: number | undefined,
): Promise<{ readonly sections: readonly Section[]; readonly skipped: readonly string[] }> {
  const sections: Section[] = [];
  const skipped: string[] = [];
  for (const part of parts) {
    try {
      sections.push(...(await measure(part, repeats)));
    } catch (thrown) {
      console.error(thrown);
      process.exitCode = 1;
      skipped.push(`${part}: it failed, and said why on stderr`);
    }
  }
  return { sections, skipped };
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
