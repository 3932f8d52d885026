// A host with one server that requires a sign-in, and a store that a test can inspect.

import {
  allowAll,
  type CallOutcome,
  createHost,
  type Host,
  type HostOptions,
} from '../../src/index.ts';
import { type Browser, type CredentialStore, memoryCredentials } from '../../src/auth/index.ts';

export interface GuardedHostOptions {
  readonly url: string;
  readonly browser?: Browser;
  readonly credentials?: CredentialStore;
  readonly entry?: Readonly<Record<string, unknown>>;
  readonly host?: HostOptions;
}

export const SERVER = 'guarded';

/** The result of `look` for authorized callers. */
export const SEEN = {
  server: SERVER,
  tool: 'look',
  kind: 'result',
  parts: [{ kind: 'text', text: 'seen' }],
};

export function guardedHost(options: GuardedHostOptions): Promise<Host> {
  const { url, browser, credentials = memoryCredentials(), entry = {}, host = {} } = options;
  return createHost({
    files: 'none',
    approve: allowAll,
    servers: { [SERVER]: { type: 'http', url, protocol: 'legacy', ...entry } },
    authorization: { credentials, ...(browser === undefined ? {} : { browser }) },
    ...host,
  });
}

export function look(host: Host): Promise<CallOutcome> {
  return host.call({ server: SERVER, tool: 'look' }, {});
}
