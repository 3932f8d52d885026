// Lists the tools of servers in parallel for the host's report. For each server that cannot be listed, the report has the
// outcome that a call to it would have.

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
  /** Connects even if the tools are known from an earlier run. */
  readonly fresh: boolean;
  readonly signal: AbortSignal;
}

export async function toolsReport(parts: ToolsReportParts): Promise<ToolsReport> {
  const { names, configured, offers, pins, signIns, fresh, signal } = parts;
  const problems = await unlistedAmong(names, configured, (server) =>
    fresh ? offers.refresh(server, signal, 'wish') : offers.know(server, signal),
  );
  await Promise.all(names.map((server) => pins.reconsider(server)));
  const requested = new Set(names);
  const waiting = await signIns.waiting(names);
  const tools = offers.catalog.tools
    .filter(({ server }) => requested.has(server))
    .map((tool) => (waiting.has(tool.server) ? waitingTool(tool) : toHostTool(tool)));
  const quarantined = pins.quarantined.filter(({ server }) => requested.has(server));
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
      const done = await list(server);
      return done.ok ? [] : [withoutSession({ server, tool: '' }, done.error)];
    }),
  );
  return listed.flat();
}
