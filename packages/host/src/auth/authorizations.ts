// The authorizations of all remote servers of one host, over one network and one store: one per server, for as
// long as its entry is unchanged.

import { type Clock, err, isUrl, type Logger, ok, type Result, shared } from '@plugboard/base';
import type { NetworkSettings } from '../platform/index.ts';
import {
  type AuthorizationNetwork,
  authorizationNetwork,
  type AuthorizationPort,
  type AuthorizationProblem,
  httpUrl,
  type NetworkPorts,
  type RemoteServer,
} from '../protocol/index.ts';
import type { Browser } from './browser.ts';
import type { Credential } from './credential.ts';
import type { CredentialStore } from './credential-store.ts';
import { importCredential, type ImportProblem } from './import-credential.ts';
import { readOAuthSettings } from './oauth-settings.ts';
import type { AuthorizationPorts, AuthorizedServer } from './ports.ts';
import { entryHash } from './record-name.ts';
import type { RefusalMemory } from './refusal-memory.ts';
import type { Revocation } from './revoke.ts';
import { Renewals } from './renewals.ts';
import { ServerAuthorization } from './server-authorization.ts';

export interface AuthorizationsOptions {
  readonly store: CredentialStore;
  readonly refusals: RefusalMemory;
  readonly network: NetworkSettings | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clientName: string;
  readonly browser?: Browser | undefined;
  readonly clientMetadataUrl?: string | undefined;
  readonly reach?: NetworkPorts;
}

export class Authorizations implements AsyncDisposable {
  readonly #ports: Omit<AuthorizationPorts, 'fetch' | 'providerFetch'>;
  readonly #network: AuthorizationNetwork;
  readonly #ending = new AbortController();
  readonly #known = new Map<string, RequestedServer>();

  constructor(options: AuthorizationsOptions) {
    const ending = shared(this.#ending.signal);
    const { network: settings, clock, reach } = options;
    this.#network = authorizationNetwork({ settings, clock, ending, reach });
    this.#ports = {
      store: options.store,
      refusals: options.refusals,
      renewals: new Renewals(),
      clock,
      logger: options.logger,
      browser: options.browser,
      clientMetadataUrl: options.clientMetadataUrl,
      clientName: options.clientName,
      ending,
    };
  }

  of(server: RemoteServer): KnownAuthorization {
    const entry = entryHash(server);
    const known = this.#known.get(server.name);
    if (known?.entry === entry) return known.port;
    const port = this.#portOf(server);
    this.#known.set(server.name, { entry, server, port });
    return port;
  }

  /**
   * The authorization of a server that was requested before; for another account than the entry names, if
   * given.
   */
  get(name: string, account?: string): KnownAuthorization | undefined {
    const known = this.#known.get(name);
    if (account === undefined || known === undefined) return known?.port;
    return this.#portOf(withAccount(known.server, account));
  }

  /** Imports tokens that the user obtained elsewhere, for a server that was requested before. */
  async import(
    name: string,
    given: unknown,
    account?: string,
  ): Promise<Result<Credential, ImportProblem> | undefined> {
    const known = this.#known.get(name)?.server;
    if (known === undefined) return undefined;
    const server = authorizedServer(withAccount(known, account));
    return server.ok ? importCredential(server.value, given, this.#portsOf(server.value)) : server;
  }

  #portOf(server: RemoteServer): KnownAuthorization {
    const authorized = authorizedServer(server);
    return authorized.ok
      ? new ServerAuthorization(authorized.value, this.#portsOf(authorized.value))
      : unreadable(authorized.error);
  }

  /**
   * Each provider is judged by its own address: one in a private network must not open that network to the
   * server. The client metadata document is never fetched by the host, so it opens no network either.
   */
  #portsOf({ url, settings }: AuthorizedServer): AuthorizationPorts {
    const { authServerMetadataUrl, issuer, xaa } = settings;
    const server = new URL(url);
    const fetch = this.#network.fetchFor([server, ...urlsOf(authServerMetadataUrl, issuer)]);
    const [provider = server, ...others] = urlsOf(xaa?.issuer, xaa?.tokenEndpoint);
    const providerFetch = this.#network.fetchFor([provider, ...others]);
    return { ...this.#ports, fetch, providerFetch };
  }

  /** Signs out, and makes all servers that use the same credential drop it. */
  async signOut(
    name: string,
    account?: string,
  ): Promise<Result<Revocation | undefined, AuthorizationProblem> | undefined> {
    const port = this.get(name, account);
    if (port === undefined) return undefined;
    const left = await port.logout();
    for (const { port: other } of this.#known.values()) {
      if (port.key !== undefined) other.drop?.(port.key);
    }
    return left;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ports.renewals.settled(this.#ports.clock);
    this.#ending.abort(new Error('the host is closed'));
    await this.#network.close();
  }
}

function withAccount(server: RemoteServer, account: string | undefined): RemoteServer {
  return account === undefined ? server : { ...server, oauth: { ...server.oauth, account } };
}

function authorizedServer(
  server: RemoteServer,
): Result<AuthorizedServer, AuthorizationProblem & { readonly kind: 'bad-settings' }> {
  const { name, url, oauth } = server;
  const settings = readOAuthSettings(oauth);
  if (!settings.ok) return err({ kind: 'bad-settings', field: `oauth.${settings.error}` });
  return ok({ name, url: httpUrl(url), settings: settings.value, entry: entryHash(server) });
}

interface RequestedServer {
  readonly entry: string;
  readonly server: RemoteServer;
  readonly port: KnownAuthorization;
}

export type KnownAuthorization = AuthorizationPort &
  Pick<ServerAuthorization, 'login' | 'logout'> &
  Partial<Pick<ServerAuthorization, 'key' | 'drop'>>;

/** Reports the problem once the server requires a sign-in; a server that requires none can still be used. */
function unreadable(problem: AuthorizationProblem): KnownAuthorization {
  return {
    headersFor: () => Promise.resolve({}),
    judge: ({ status }) =>
      Promise.resolve(status === 401 ? { kind: 'refused', problem } : { kind: 'pass' }),
    login: () => Promise.resolve(err(problem)),
    logout: () => Promise.resolve(err(problem)),
  };
}

/** Invalid addresses are skipped here and reported where they are used. */
function urlsOf(...texts: readonly (string | undefined)[]): readonly URL[] {
  return texts.flatMap((text = '') => (isUrl(text) ? [new URL(text)] : []));
}
