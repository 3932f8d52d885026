// Everything needed to reach one server: variables expanded, paths absolute, headers final.

import type { Transport } from '@modelcontextprotocol/client';
import {
  isUrlScheme,
  type NetworkSettings,
  type SpawnSpec,
  URL_SCHEMES,
} from '../../platform/index.ts';
import type { AuthorizationPort } from './authorization.ts';
import type { InboundGrants } from './inbound-requests.ts';

/** Anything that can be connected to a transport, such as the SDK's `McpServer`. */
export interface ConnectableServer {
  connect(transport: Transport): Promise<void>;
  /** If set, the server lists the same tools in every run, and its list can be stored under this name. */
  readonly edition?: string;
}

/**
 * A server of the embedding program, or a transport to one. A server is connected again for every session; a transport
 * serves one session.
 */
export type InProcessServer = ConnectableServer | Transport;

export type EraPreference = 'auto' | 'legacy' | 'modern';

/**
 * The properties of each transport; link-to.ts opens it. `http` is Streamable HTTP, `sse` is HTTP+SSE of the 2024-11-05
 * revision, and `http-or-sse` falls back from the first to the second if the server refuses it as servers of that
 * revision do.
 */
export const LAUNCH_TRANSPORTS = {
  stdio: { auto: 'legacy-then-modern', startsProcess: true },
  http: { auto: 'probe', startsProcess: false, greeting: 'POST' },
  'http-or-sse': { auto: 'probe', startsProcess: false, greeting: 'POST' },
  sse: { auto: 'legacy', startsProcess: false, greeting: 'GET' },
  ws: { auto: 'legacy-then-modern', startsProcess: false, greeting: 'GET' },
  'in-process': { auto: 'legacy', startsProcess: false },
} as const satisfies Readonly<Record<string, LaunchTransport>>;

interface LaunchTransport {
  /** The era to use if none is chosen. A probe wakes, confuses or crashes servers that do not expect it. */
  readonly auto: 'probe' | 'legacy-then-modern' | 'legacy';
  /** Only a few of these are opened at a time, after the processes that a killed host left were ended. */
  readonly startsProcess: boolean;
  /** For a remote server: the method of the first request. */
  readonly greeting?: 'GET' | 'POST';
}

type Transports = typeof LAUNCH_TRANSPORTS;

export interface RemoteLaunch {
  readonly kind: {
    [Kind in keyof Transports]: Transports[Kind] extends { readonly greeting: string }
      ? Kind
      : never;
  }[keyof Transports];
  readonly url: string;
  /** The address to show, if the url contains a secret. */
  readonly shownUrl?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly era: EraPreference;
  /** Proxies and client certificates; without it the server is reached directly. */
  readonly network?: NetworkSettings;
  /** Absent if the headers authorize requests already, or no sign-in is configured. */
  readonly authorization?: AuthorizationPort;
}

/** A local server that all hosts of this user share, through a broker. */
export interface SharedServer {
  /** The name of the server in the configuration. */
  readonly name: string;
  /** The working directory of the host. */
  readonly place: string;
  /** Equal for the same entry, whatever the values of its variables. */
  readonly fingerprint: string;
  /** The folder of the brokers' sockets. */
  readonly folder: string;
  /** The ledger of running processes. */
  readonly ledger: string;
  /** The server is ended after no host has used it for this long. */
  readonly idleMs: number;
  /** What the entry allows the server to request of hosts. */
  readonly grants: InboundGrants;
  /** The version of Plugboard: hosts of another version have brokers of their own. */
  readonly version: string;
}

export interface StdioLaunch extends SpawnSpec {
  readonly kind: 'stdio';
  readonly era: EraPreference;
  /** Absent if the process belongs to this host alone. */
  readonly shared?: SharedServer;
}

export type Launch =
  | StdioLaunch
  | RemoteLaunch
  | {
      readonly kind: 'in-process';
      readonly server: InProcessServer;
      /** The legacy era by default. */
      readonly era?: EraPreference;
    };

/** The era in which a session is opened; `auto` is a probe. */
export function openingEra({ kind, era = 'legacy' }: Launch): EraPreference {
  return era === 'auto' && LAUNCH_TRANSPORTS[kind].auto !== 'probe' ? 'legacy' : era;
}

/** The HTTP address of a remote server, with which a WebSocket is opened and metadata is found. */
export function httpUrl(url: string): string {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  return isUrlScheme(scheme) ? URL_SCHEMES[scheme].asHttp + url.slice(scheme.length) : url;
}
