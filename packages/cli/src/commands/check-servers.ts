// Connects to servers and reports their state, for `list --check`, `doctor` and `run`.

import { systemClock } from '@plugboard/base';
import type { Host, HostEvent, Quarantined, ServerState } from '@plugboard/host';
import { CODEBASE } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import type { Failure } from '../print/outcome.ts';
import { waitingForAll } from '../print/progress.ts';

export type ReadyState = Extract<ServerState, { readonly kind: 'ready' }>;

export interface ServerCheck {
  readonly name: string;
  readonly isRequired: boolean;
  /** The server's introduction, if it connected. */
  readonly ready: ReadyState | undefined;
  readonly tools: number;
  /** The definitions that are kept back. */
  readonly quarantined: readonly Quarantined[];
  /** The time from the connection attempt until the tools were listed or the server failed. */
  readonly ms: number;
  readonly problem: Failure | undefined;
}

export async function checkServers(
  context: Context,
  host: Host,
  servers: readonly string[],
): Promise<readonly ServerCheck[]> {
  const seen = new Map<string, Progress>();
  const progressOf = (server: string): Progress => {
    const progress = seen.get(server) ?? {};
    seen.set(server, progress);
    return progress;
  };
  using _ = host.on((event) => follow(event, progressOf));
  const { tools, problems, quarantined } = await waitingForAll(context, host, (signal) =>
    host.tools({ servers, fresh: true, signal }),
  );
  return servers.map((name) => ({
    name,
    isRequired: host.servers.some((status) => status.name === name && status.isRequired),
    ready: progressOf(name).ready,
    tools: tools.filter(({ server }) => server === name).length,
    quarantined: quarantined.filter(({ server }) => server === name),
    ms: elapsedMs(progressOf(name)),
    problem: problems.find(
      (outcome): outcome is Failure =>
        outcome.kind !== 'result' && 'server' in outcome && outcome.server === name,
    ),
  }));
}

/** Which failures make a command fail that checks all servers. */
export type Strictness = 'required-or-all' | 'any';

/** A failed required server decides. Otherwise all servers must have failed, or any of them with `any`. */
export function exitCodeOfChecks(checks: readonly ServerCheck[], strictness: Strictness): ExitCode {
  // The built-in server counts only if no server is configured.
  const configured = checks.filter(({ name }) => name !== CODEBASE);
  const counted = configured.length > 0 ? configured : checks;
  const failed = counted.flatMap(({ isRequired, problem }) =>
    problem === undefined ? [] : [{ isRequired, problem }],
  );
  const decisive =
    failed.find(({ isRequired }) => isRequired) ??
    (strictness === 'any' || failed.length === counted.length ? failed[0] : undefined);
  return decisive === undefined ? EXIT.ok : exitCodeOfOutcome(decisive.problem);
}

interface Progress {
  startedAt?: number;
  endedAt?: number;
  ready?: ReadyState;
}

/** Adds an event to the progress of its server. */
function follow(event: HostEvent, progressOf: (server: string) => Progress): void {
  if (event.kind === 'tools') {
    progressOf(event.server).endedAt = systemClock.elapsed();
  } else if (event.kind === 'state') {
    const { name, state } = event.server;
    const progress = progressOf(name);
    if (state.kind === 'connecting') progress.startedAt ??= systemClock.elapsed();
    else if (state.kind === 'ready') progress.ready = state;
    else progress.endedAt = systemClock.elapsed();
  }
}

function elapsedMs({ startedAt, endedAt = systemClock.elapsed() }: Progress): number {
  return startedAt === undefined ? 0 : Math.round(endedAt - startedAt);
}
