// The tools of servers as the host reports them: listed all at once, with what a call to each server that could not be
// listed would come to.

import type { Result } from '@plugboard/base';
import { toHostTool } from '../catalog/index.ts';
import type { ConnectionState } from '../connection/index.ts';
import { type CallOutcome, unknownServer, withoutSession } from './call-outcome.ts';
import type { HostPins } from './host-pins.ts';
import type { ToolsReport } from './host-surface.ts';
import type { Offers } from './offers.ts';
import type { SignInDesk } from './sign-in-desk.ts';
import { waitingTool } from './sign-in-words.ts';

export interface ToolsReportParts {
  readonly names: readonly string[];
  readonly configured: readonly string[];
  readonly offers: Offers;
  readonly pins: HostPins;
  readonly signIns: SignInDesk;
  /** Connects also where the tools are known from an earlier run. */
  readonly fresh: boolean;
  readonly signal: AbortSignal;
}

export async function toolsReport(parts: ToolsReportParts): Promise<ToolsReport> {
  const { names, configured, offers, pins, signIns, fresh, signal } = parts;
  const problems = await unlistedAmong(names, configured, (server) =>
    fresh ? offers.refresh(server, signal, 'wish') : offers.know(server, signal),
  );
  await Promise.all(names.map((server) => pins.reconsider(server)));
  const wanted = new Set(names);
  const waiting = await signIns.waiting(names);
  const tools = offers.catalog.tools
    .filter(({ server }) => wanted.has(server))
    .map((tool) => (waiting.has(tool.server) ? waitingTool(tool) : toHostTool(tool)));
  const quarantined = pins.quarantined.filter(({ server }) => wanted.has(server));
  return { tools, problems, lists: offers.originsOf(names), quarantined };
}

async function unlistedAmong(
  servers: readonly string[],
  configured: readonly string[],
  list: (server: string) => Promise<Result<void, ConnectionState>>,
): Promise<readonly CallOutcome[]> {
  const listed = await Promise.all(
    servers.map(async (server) => {
      if (!configured.includes(server)) return [unknownServer({ server, tool: '' }, configured)];
      const made = await list(server);
      return made.ok ? [] : [withoutSession({ server, tool: '' }, made.error)];
    }),
  );
  return listed.flat();
}
