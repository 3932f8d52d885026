// What is kept of one server: which credential it was used with, where its metadata was. Also decides
// which authorization server a configured client may be shown to.

import { err, ok, type Result } from '@plugboard/base';
import type { AuthorizationProblem, AuthorizationServer } from '../protocol/index.ts';
import { configuredClient, knownClients } from './choose-client.ts';
import { type Credential, type KnownServer, keyOf, type ServerKey } from './credential.ts';
import type { AuthorizationPorts, AuthorizedServer } from './ports.ts';

type Told<T> = Promise<Result<T, AuthorizationProblem>>;

export interface Remembered {
  readonly credential: Credential | undefined;
  readonly resourceMetadataUrl: string | undefined;
}

export class ServerMemory {
  readonly #server: AuthorizedServer;
  readonly #ports: AuthorizationPorts;

  constructor(server: AuthorizedServer, ports: AuthorizationPorts) {
    this.#server = server;
    this.#ports = ports;
  }

  async recall(): Told<Remembered> {
    const { store } = this.#ports;
    const known = await store.servers.read(this.#key);
    if (!known.ok) return known;
    const { credential: key, resourceMetadataUrl } = known.value ?? {};
    const kept = key === undefined ? ok(undefined) : await store.credentials.read(key);
    return kept.ok ? ok({ credential: kept.value, resourceMetadataUrl }) : kept;
  }

  async remember(credential: Credential, resourceMetadataUrl: string | undefined): Told<void> {
    const { store, ending } = this.#ports;
    const known: KnownServer = {
      ...this.#key,
      credential: keyOf(credential),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    };
    const isSame = (now: KnownServer | undefined): boolean =>
      JSON.stringify(now) === JSON.stringify(known);
    const change = (now: KnownServer | undefined) => Promise.resolve(isSame(now) ? now : known);
    const kept = await store.servers.update(this.#key, change, ending);
    return kept.ok ? ok(undefined) : kept;
  }

  /** Whether there was a credential. */
  async forget(): Told<boolean> {
    const { store, ending } = this.#ports;
    const known = await store.servers.read(this.#key);
    if (!known.ok) return known;
    if (known.value === undefined) return ok(false);
    let wasThere = false;
    const forget = (now: unknown): Promise<undefined> => {
      wasThere ||= now !== undefined;
      return Promise.resolve(undefined);
    };
    const forgotten = await store.credentials.update(known.value.credential, forget, ending);
    if (!forgotten.ok) return forgotten;
    const left = await store.servers.update(this.#key, () => Promise.resolve(undefined), ending);
    return left.ok ? ok(wasThere) : left;
  }

  /** What is configured for one authorization server is shown to no other. */
  async asMeant(server: AuthorizationServer): Told<AuthorizationServer> {
    const { settings } = this.#server;
    const client = configuredClient(settings);
    if (client === undefined || settings.authServerMetadataUrl !== undefined) return ok(server);
    const known = await this.#ports.store.servers.read(this.#key);
    if (!known.ok) return known;
    const meant = settings.issuer ?? known.value?.credential.issuer;
    return meant === undefined || meant === server.issuer
      ? ok(server)
      : err({ kind: 'issuer-mismatch', where: 'client' });
  }

  /** The credential for this server at an authorization server, whichever server it was got for. */
  async keptAt(server: AuthorizationServer): Told<Credential | undefined> {
    const { store } = this.#ports;
    const { settings } = this.#server;
    const known = await store.servers.read(this.#key);
    if (!known.ok) return known;
    const { issuer, resource = '' } = server;
    const last = known.value?.credential;
    if (last?.issuer === issuer && last.resource === resource) return store.credentials.read(last);
    const clients = await knownClients(server, settings, this.#ports);
    if (!clients.ok) return clients;
    const { account } = settings;
    let latest: Credential | undefined;
    for (const { id: client } of clients.value) {
      const kept = await store.credentials.read({ issuer, resource, account, client });
      if (!kept.ok) return kept;
      if ((kept.value?.obtainedAt ?? -1) > (latest?.obtainedAt ?? -1)) latest = kept.value;
    }
    return ok(latest);
  }

  get #key(): ServerKey {
    const { url, settings } = this.#server;
    return { url, account: settings.account, client: settings.clientId ?? '' };
  }
}
