// A host with one server and its authorization server, both on this machine, in a network from which
// nothing gets out: whatever is not on loopback would have to go through a proxy that refuses, and that
// remembers who wanted to go where. So a missing guard is noticed, and no real server is contacted.

import type { Scope } from '@plugboard/base';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type ProtectedServer,
  type ProtectedServerOptions,
  startAuthorizationServer,
  startConnectProxy,
  startProtectedServer,
  tempFolder,
} from '@plugboard/testkit';
import { type Browser, type CredentialStore, memoryCredentials } from '../../../src/auth/index.ts';
import {
  allowAll,
  type CallOutcome,
  createHost,
  type Host,
  type HostOptions,
  type LoginOutcome,
} from '../../../src/index.ts';
import { hostEnvironment } from '../../../src/platform/index.ts';
import { followingBrowser } from '../following-browser.ts';

export const SERVER = 'guarded';
export const SCRIPT = { tools: [{ name: 'look', result: { content: [] } }] };

export interface SceneOptions {
  readonly issuer?: AuthorizationServerOptions;
  readonly server?: Omit<ProtectedServerOptions, 'issuer'>;
  readonly entry?: Readonly<Record<string, unknown>>;
  readonly host?: Omit<HostOptions, 'authorization'>;
}

export interface HostileScene {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly host: Host;
  readonly credentials: CredentialStore;
  readonly browser: RecordingBrowser;
  /** The requested hosts that are not on this machine. */
  readonly elsewhere: () => readonly string[];
  readonly login: (browser?: Browser) => Promise<LoginOutcome>;
  readonly look: () => Promise<CallOutcome>;
  /** Another host of the same user. */
  readonly anotherHost: (options?: HostOptions) => Promise<Host>;
}

export async function hostileScene(
  scope: Scope,
  options: SceneOptions = {},
): Promise<HostileScene> {
  const issuer = scope.use(await startAuthorizationServer(options.issuer));
  const server = scope.use(
    await startProtectedServer({ script: SCRIPT, ...options.server, issuer }),
  );
  const proxy = scope.use(await startConnectProxy({ port: 1, refuse: 403 }));
  const folder = scope.use(await tempFolder());
  const { paths: own, ...environment } = hostEnvironment();
  const paths = { ...own, state: folder.path, cache: folder.path, config: folder.path };
  const env = { PATH: process.env['PATH'], HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  const credentials = memoryCredentials();
  const given: HostOptions = {
    files: 'none',
    approve: allowAll,
    servers: { [SERVER]: { type: 'http', url: server.url, ...options.entry } },
    environment: { ...environment, env, paths },
    authorization: { credentials },
    ...options.host,
  };
  const host = scope.use(await createHost(given));
  const browser = recordingBrowser();
  return {
    ...{ issuer, server, host, credentials, browser },
    elsewhere: () => proxy.asked.map(({ authority }) => authority),
    login: (other = browser) => host.login(SERVER, { way: { kind: 'browser', browser: other } }),
    look: () => host.call({ server: SERVER, tool: 'look' }, {}),
    anotherHost: async (more = {}) => scope.use(await createHost({ ...given, ...more })),
  };
}

export interface RecordingBrowser extends Browser {
  /** The pages that were opened. */
  readonly visited: readonly string[];
}

/** Follows an address on this machine, and is redirected back at once. */
export function recordingBrowser(change?: (redirect: URL) => void): RecordingBrowser {
  const browser = followingBrowser(change);
  return {
    begin: (wish) => browser.begin(wish),
    get visited() {
      return browser.visited.map(({ href }) => href);
    },
  };
}

/** The outcome of `login` for a failed sign-in. */
export function notSignedIn(problem: object): object {
  return { kind: 'not-signed-in', server: SERVER, problem };
}
