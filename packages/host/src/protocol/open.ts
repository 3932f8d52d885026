// The one way in: opens a session to a server, whatever the transport. The SDK is loaded here, on
// first use, so that commands which connect to nothing start fast.

import { type Clock, deadline, err, never, type Result } from '@plugboard/base';
import type { ProcessLedger } from '../platform/index.ts';
import type { Link } from './client-session.ts';
import type { ProcessEvidence, ProtocolFailure } from './failure.ts';
import type { InboundPort } from './inbound.ts';
import { linkedPair } from './in-process.ts';
import type { Launch } from './launch.ts';
import type { ServerIdentity } from './model.ts';
import type { Session } from './session.ts';

export interface OpenPorts {
  readonly clock: Clock;
  readonly ledger: ProcessLedger | undefined;
  /** How we introduce ourselves to servers. */
  readonly client: ServerIdentity;
  readonly inbound: InboundPort;
}

const FAREWELL_MS = 500;

/** Opens a session within `timeoutMs`. On failure nothing that was started is left. */
export async function open(
  launch: Launch,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ports: OpenPorts,
): Promise<Result<Session, ProtocolFailure>> {
  using limit = deadline(options.timeoutMs, ports.clock, options.signal);
  const { openClientSession } = await import('./client-session.ts');
  const { link, evidence } = await linkTo(launch, ports);
  const opened = await openClientSession(link, {
    client: ports.client,
    inbound: ports.inbound,
    clock: ports.clock,
    signal: limit.signal,
    timeoutMs: options.timeoutMs,
  });
  if (opened.ok || opened.error.kind !== 'timeout' || evidence === undefined) return opened;
  return err({ ...opened.error, evidence: evidence() });
}

interface Linked {
  readonly link: Link;
  readonly evidence?: () => ProcessEvidence;
}

async function linkTo(launch: Launch, ports: OpenPorts): Promise<Linked> {
  switch (launch.kind) {
    case 'stdio': {
      const { StdioTransport } = await import('./stdio-transport.ts');
      const transport = new StdioTransport(launch, ports);
      // A probe before `initialize` wakes or kills servers that do not expect it.
      const era = launch.era === 'auto' ? 'legacy' : launch.era;
      return {
        link: { transport, url: '', era, end: () => transport.end, farewell: nothingToSay },
        evidence: () => transport.evidence(),
      };
    }
    case 'http': {
      const { httpTransport, shownUrl } = await import('./http-transport.ts');
      const transport = httpTransport(launch);
      const farewell = (): Promise<void> => endHttpSession(transport, ports.clock);
      const { era } = launch;
      return {
        link: { transport, url: shownUrl(launch.url), era, end: () => undefined, farewell },
      };
    }
    case 'in-process': {
      const [ours, theirs] = linkedPair();
      await launch.server.connect(theirs);
      return {
        link: {
          transport: ours,
          url: '',
          era: 'legacy',
          end: () => undefined,
          farewell: nothingToSay,
        },
      };
    }
    default:
      return launch satisfies never;
  }
}

function nothingToSay(): Promise<void> {
  return Promise.resolve();
}

/** A legacy session lives on at the server until it is told; a server that is gone need not be. */
async function endHttpSession(
  transport: { terminateSession(): Promise<void> },
  clock: Clock,
): Promise<void> {
  using limit = deadline(FAREWELL_MS, clock, never);
  const given = new Promise<void>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // A server that refuses to end the session keeps it; that is its own affair.
  await Promise.race([transport.terminateSession().catch(() => {}), given]);
}
