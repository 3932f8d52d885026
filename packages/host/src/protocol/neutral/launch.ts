// Everything needed to reach one server: variables expanded, paths absolute, headers final.

import type { NetworkSettings } from '../../platform/index.ts';
import type { AuthorizationPort } from './authorization.ts';
import type { InProcessServer } from './in-process-server.ts';

export type EraPreference = 'auto' | 'legacy' | 'modern';

export interface RemoteLaunch {
  /**
   * `http` is Streamable HTTP, `sse` the HTTP+SSE of the 2024-11-05 revision, and `http-or-sse` falls back to
   * the second if the first is refused in the way servers of that revision do.
   */
  readonly kind: 'http' | 'http-or-sse' | 'sse' | 'ws';
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
  /** Whether the entry allows the server to request sampling. */
  readonly sampling: boolean;
  /** The version of Plugboard: hosts of another version have brokers of their own. */
  readonly version: string;
}

export type Launch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The complete environment of the process. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
      readonly era: EraPreference;
      /** Absent if the process belongs to this host alone. */
      readonly shared?: SharedServer;
    }
  | RemoteLaunch
  | {
      readonly kind: 'in-process';
      readonly server: InProcessServer;
      /** The legacy era unless given. */
      readonly era?: EraPreference;
    };
