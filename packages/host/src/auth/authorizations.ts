// The authorization of all remote servers of one host: one for each, for as long as its entry says the
// same, over one network and one store.

import { type Clock, deadline, err, type Logger, shared } from '@plugboard/base';
import type { NetworkSettings } from '../platform/index.ts';
import {
  type AuthorizationPort,
  authorizationNetwork,
  type AuthorizationProblem,
  type Fetch,
} from '../protocol/index.ts';
import type { Browser } from './browser.ts';
import type { CredentialStore } from './credential-store.ts';
import { readOAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts } from './ports.ts';
import { ServerAuthorization } from './server-authorization.ts';

export interface AuthorizationsOptions {
  readonly store: CredentialStore;
  readonly network: NetworkSettings | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clientName: string;
  readonly browser?: Browser | undefined;
  readonly clientMetadataUrl?: string | undefined;
}

/** A remote server, with the secrets of its entry filled in. */
export interface RemoteServer {
  readonly name: string;
  readonly url: string;
  readonly oauth: Readonly<Record<string, unknown>> | undefined;
}

/** For one request to an authorization server, however many redirects it takes. */
const STEP_MS = 20_000;

export class Authorizations implements AsyncDisposable {
  readonly #ports: AuthorizationPorts;
  readonly #network: ReturnType<typeof authorizationNetwork>;
  readonly #ending = new AbortController();
  readonly #known = new Map<string, { readonly identity: string; readonly port: Known }>();

  constructor(options: AuthorizationsOptions) {
    const ending = shared(this.#ending.signal);
    this.#network = authorizationNetwork(options.network);
    this.#ports = {
      store: options.store,
      clock: options.clock,
      logger: options.logger,
      browser: options.browser,
      clientMetadataUrl: options.clientMetadataUrl,
      clientName: options.clientName,
      ending,
      fetch: limited(this.#network.fetch, options.clock, ending),
    };
  }

  of({ name, url, oauth }: RemoteServer): Known {
    const settings = readOAuthSettings(oauth);
    const identity = JSON.stringify({ url, settings });
    const known = this.#known.get(name);
    if (known?.identity === identity) return known.port;
    // What a server says of itself is found over HTTP, however else it is spoken to.
    const address = url.replace(/^ws/, 'http');
    const port = settings.ok
      ? new ServerAuthorization({ name, url: address, settings: settings.value }, this.#ports)
      : unreadable({ kind: 'bad-settings', field: `oauth.${settings.error}` });
    this.#known.set(name, { identity, port });
    return port;
  }

  /** That of a server which was asked for before. */
  get(name: string): Known | undefined {
    return this.#known.get(name)?.port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error('the host is closed'));
    await this.#network.close();
  }
}

export type Known = AuthorizationPort & Pick<ServerAuthorization, 'login' | 'logout'>;

/** Says so once the server asks; one that asks for nothing can be used all the same. */
function unreadable(problem: AuthorizationProblem): Known {
  return {
    headersFor: () => Promise.resolve({}),
    judge: ({ status }) =>
      Promise.resolve(status === 401 ? { kind: 'refused', problem } : { kind: 'pass' }),
    login: () => Promise.resolve(err(problem)),
    logout: () => Promise.resolve(err(problem)),
  };
}

function limited(fetch: Fetch, clock: Clock, ending: AbortSignal): Fetch {
  return async (url, init) => {
    using limit = deadline(STEP_MS, clock, init?.signal ?? ending);
    const request = { ...init, signal: limit.signal };
    const response = await fetch(url, request).catch((thrown: unknown) => {
      // A connection that was kept open is closed just as it is used again; reading may be repeated.
      const isRead = (init?.method ?? 'GET') === 'GET';
      if (isRead && !limit.signal.aborted) return fetch(url, request);
      throw thrown;
    });
    // Within the same limit: whoever sends a body without end is waited for no longer.
    const body = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return new Response(isEmpty(status) ? null : body, { status, statusText, headers });
  };
}

function isEmpty(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
