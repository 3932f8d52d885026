// What it takes to reach one server, with nothing left to look up: variables expanded, paths
// absolute, headers final.

import type { NetworkSettings } from '../../platform/index.ts';
import type { AuthorizationPort } from './authorization.ts';
import type { InProcessServer } from './in-process-server.ts';

export type EraPreference = 'auto' | 'legacy' | 'modern';

export interface RemoteLaunch {
  /**
   * `http` is Streamable HTTP, `sse` the HTTP+SSE of the 2024-11-05 revision, and `http-or-sse` the
   * second only where the first is refused as servers of that revision do.
   */
  readonly kind: 'http' | 'http-or-sse' | 'sse' | 'ws';
  readonly url: string;
  /** What to call it where people read, if a secret is part of it. */
  readonly shownUrl?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly era: EraPreference;
  /** Proxies and the like; without it the server is reached directly. */
  readonly network?: NetworkSettings;
  /** Absent where the headers say all, or nobody is to be asked. */
  readonly authorization?: AuthorizationPort;
}

/** A local server that all hosts of this user share, through a broker. */
export interface Sharing {
  /** What people call the server. */
  readonly name: string;
  /** The folder that the host works in. */
  readonly place: string;
  /** Equal for the same entry, whatever its variables hold. */
  readonly fingerprint: string;
  /** Where the sockets of brokers are. */
  readonly folder: string;
  /** Where running processes are written down. */
  readonly ledger: string;
  /** The server is ended when no host used it for so long. */
  readonly idleMs: number;
  /** Whether the entry lets the server have a model asked. */
  readonly sampling: boolean;
  /** Plugboard's own: hosts of another version have brokers of their own. */
  readonly version: string;
}

export type Launch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The whole environment of the process. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
      readonly era: EraPreference;
      /** Absent where the process is this host's alone. */
      readonly shared?: Sharing;
    }
  | RemoteLaunch
  | {
      readonly kind: 'in-process';
      readonly server: InProcessServer;
      /** The legacy era unless said otherwise. */
      readonly era?: EraPreference;
    };
