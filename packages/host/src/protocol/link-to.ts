// Makes the link to a server from its launch, with one case per transport. Sends nothing yet, but starts a process. Each
// transport is loaded when it is first used.

import { hash } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/client';
import { abortable, type Clock, deadline, type Logger, never } from '@plugboard/base';
import { packageRunnerOf, type ProcessLedger } from '../platform/index.ts';
import type { ProcessEvidence, ProtocolFailure } from './neutral/failure.ts';
import type { InboundPort } from './neutral/inbound-requests.ts';
import { transportTo } from './transport/in-process.ts';
import {
  type EraPreference,
  type Launch,
  openingEra,
  type RemoteLaunch,
  type StdioLaunch,
} from './neutral/launch.ts';
import { shownUrl } from './network/shown-url.ts';
import type { EraEvidence } from './transport/sse-fallback.ts';
import type { Recorder } from './trace/recorder.ts';

/** A transport, with what sessions need beyond the SDK's interface. */
export interface Link {
  readonly transport: Transport;
  /** The address as it may be shown; empty for a local server. */
  readonly url: string;
  readonly era: EraPreference;
  /** Why the transport ended, once it has. */
  end(): ProtocolFailure | undefined;
  /** The server was running before this host joined: its startup work is done. */
  isRunning?(): boolean;
  /** What the server answered to the handshake of an earlier host. */
  handshake?(): unknown;
  /** Ends the session at the server, if the transport can. Bounded in time, never throws. */
  farewell(): Promise<void>;
  /** Equal as long as requests are sent with the same credentials; absent if they never change. */
  credentialsMark?(signal: AbortSignal): Promise<string>;
  /** What the process has printed; absent if there is none. */
  evidence?(): ProcessEvidence;
  /** Returns the name of the package runner until it has started the server; absent if none starts it. */
  readonly installing?: () => Promise<string | undefined>;
  readonly eraEvidence?: EraEvidence;
}

export interface LinkPorts {
  readonly clock: Clock;
  readonly ledger: ProcessLedger | undefined;
  readonly recorder?: Recorder | undefined;
  readonly inbound?: InboundPort | undefined;
  readonly logger?: Logger | undefined;
}

const FAREWELL_MS = 500;

export async function linkTo(launch: Launch, ports: LinkPorts, signal: AbortSignal): Promise<Link> {
  switch (launch.kind) {
    case 'stdio': {
      const shared = await sharedLink(launch, ports, signal);
      if (shared !== undefined) return shared;
      const { StdioTransport } = await import('./transport/stdio-transport.ts');
      const transport = new StdioTransport(launch, ports);
      transport.begin();
      const isFetched = packageRunnerOf(launch.command, launch.args) !== undefined;
      return {
        ...LOCAL,
        transport,
        era: openingEra(launch),
        end: () => transport.end,
        evidence: () => transport.evidence(),
        ...(isFetched ? { installing: () => transport.installing() } : {}),
      };
    }
    case 'http':
    case 'http-or-sse':
      return establishHttp(launch, ports.clock);
    case 'sse': {
      const { sseTransport } = await import('./transport/sse-transport.ts');
      return streamLink(launch, sseTransport(launch, ports.clock));
    }
    case 'ws': {
      const { WsTransport } = await import('./transport/ws-transport.ts');
      return streamLink(launch, new WsTransport(launch, ports.clock));
    }
    case 'in-process': {
      const transport = await abortable(transportTo(launch.server), signal);
      return { ...LOCAL, transport, era: openingEra(launch) };
    }
    default:
      return launch satisfies never;
  }
}

/** Returns `undefined` if the server is not shared, or the program of the broker is missing. */
async function sharedLink(
  launch: StdioLaunch,
  ports: LinkPorts,
  signal: AbortSignal,
): Promise<Link | undefined> {
  const { shared } = launch;
  if (shared === undefined) return undefined;
  const { brokerProgram } = await import('./shared/reach-broker.ts');
  const program = await brokerProgram();
  if (program === undefined) {
    const why = 'this program was bundled without the broker';
    ports.logger?.log('warn', 'a server is not shared', { server: shared.name, why });
    return undefined;
  }
  const { SharedTransport } = await import('./shared/shared-transport.ts');
  const roots = ports.inbound?.roots?.list();
  const transport = new SharedTransport(
    { ...launch, shared },
    { ...ports, program, roots, signal },
  );
  transport.begin();
  await transport.brokerChecked;
  return {
    ...LOCAL,
    transport,
    era: openingEra(launch),
    end: () => transport.end,
    isRunning: () => transport.isRunning,
    handshake: () => transport.handshake,
    evidence: () => transport.evidence(),
  };
}

async function establishHttp(launch: RemoteLaunch, clock: Clock): Promise<Link> {
  const { httpLink } = await import('./transport/http-transport.ts');
  const { transport, seen: eraEvidence } = httpLink(launch, clock);
  const era = openingEra(launch);
  const farewell = (): Promise<void> => endHttpSession(transport, clock);
  const end = (): ReturnType<Link['end']> => transport.end;
  const link = { transport, url: shownUrl(launch), era, end, farewell, eraEvidence };
  return withCredentials(link, launch);
}

/** The mark is a hash of the credentials for a request to the server. */
function withCredentials(link: Link, { authorization, url }: RemoteLaunch): Link {
  if (authorization === undefined) return link;
  const request = { method: 'POST', url: new URL(url) };
  return {
    ...link,
    async credentialsMark(signal) {
      const { Authorization = '' } = await authorization.headersFor(request, signal);
      return hash('sha256', Authorization, 'base64');
    },
  };
}

/** A link whose transport is one stream. */
function streamLink(
  launch: RemoteLaunch,
  transport: Link['transport'] & { readonly end: ReturnType<Link['end']> },
): Link {
  const end = (): ReturnType<Link['end']> => transport.end;
  const era = openingEra(launch);
  return { transport, url: shownUrl(launch), era, end, farewell: noFarewell };
}

const LOCAL = { url: '', end: () => undefined, farewell: noFarewell };

function noFarewell(): Promise<void> {
  return Promise.resolve();
}

/** A server keeps a legacy session until the client ends it. Does not wait long for a server that is gone. */
async function endHttpSession(
  transport: { terminateSession(): Promise<void> },
  clock: Clock,
): Promise<void> {
  using limit = deadline(FAREWELL_MS, clock, never);
  const timeout = new Promise<void>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // A server may refuse to end the session.
  await Promise.race([transport.terminateSession().catch(() => {}), timeout]);
}
