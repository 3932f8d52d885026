// What is stored about one server: which credential it was used with, and where its metadata was. Also decides
// which authorization server a configured client may be sent to.

import { definedFields, err, ok } from '@plugboard/base';
import type { AuthorizationProblem, AuthorizationServer, KnownRefusal } from '../protocol/index.ts';
import { configuredClient, knownClients } from './choose-client.ts';
import {
  type Credential,
  type CredentialKey,
  type KnownServer,
  credentialKey,
  type ServerKey,
} from './credential.ts';
import { isMachine } from './machine-grant.ts';
import type { AuthorizationPorts, AuthorizationResult, AuthorizedServer } from './ports.ts';
import { isRemembered, type RefusalKey } from './refusal-memory.ts';

export interface ServerRecord {
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

  async recall(): AuthorizationResult<ServerRecord> {
    const { store } = this.#ports;
    const known = await store.servers.read(this.key);
    if (!known.ok) return known;
    const { credential: key, resourceMetadataUrl } = known.value ?? {};
    const kept = key === undefined ? ok(undefined) : await store.credentials.read(key);
    return kept.ok ? ok({ credential: kept.value, resourceMetadataUrl }) : kept;
  }

  async remember(
    credential: Credential,
    resourceMetadataUrl: string | undefined,
  ): AuthorizationResult<void> {
    const { store, ending } = this.#ports;
    const known: KnownServer = {
      ...this.key,
      credential: credentialKey(credential),
      ...definedFields({ resourceMetadataUrl }),
    };
    const isSame = (now: KnownServer | undefined): boolean =>
      JSON.stringify(now) === JSON.stringify(known);
    let before: KnownServer | undefined;
    const change = (now: KnownServer | undefined) => {
      before = now;
      return Promise.resolve(isSame(now) ? now : known);
    };
    const kept = await store.servers.update(this.key, change, ending);
    if (!kept.ok) return kept;
    await this.#endRefusals([credential.issuer]);
    // The earlier credential is for the same server under another client: it would never be used or signed out
    // again.
    return before !== undefined && isReplaced(before.credential, known.credential)
      ? this.#remove([before.credential])
      : ok(undefined);
  }

  /** The known refusal, if the user has to sign in first and has not done so since. */
  async refusal(): Promise<KnownRefusal | undefined> {
    const { refusals } = this.#ports;
    const known = await refusals.recall(this.#refusalKey);
    if (known === undefined) return undefined;
    const kept = await this.recall();
    const since = kept.ok ? (kept.value.credential?.obtainedAt ?? known.at) : known.at;
    if (since <= known.at) return { problem: known.problem, since: known.at };
    await this.#endRefusals([]);
    return undefined;
  }

  /** `refused` is the token that was tried; if another one is stored now, the refusal is not remembered. */
  async rememberRefusal(problem: AuthorizationProblem, refused: string | undefined): Promise<void> {
    const { refusals, clock } = this.#ports;
    const isPersonal = problem.kind === 'sign-in-needed' || problem.kind === 'not-signed-in';
    if (!isRemembered(problem) || (isMachine(this.#server.settings) && !isPersonal)) return;
    const kept = await this.recall();
    const token = kept.ok ? kept.value.credential?.accessToken : undefined;
    if (token !== undefined && token !== refused) return;
    await refusals.remember(this.#refusalKey, { problem, at: clock.now() });
  }

  async forget(): AuthorizationResult<void> {
    const { store, ending } = this.#ports;
    const known = await store.servers.read(this.key);
    if (!known.ok) return known;
    await this.#endRefusals([]);
    if (known.value === undefined) return ok(undefined);
    const { credential } = known.value;
    const others = await this.#withOtherClients(credential);
    if (!others.ok) return others;
    const removed = await this.#remove([credential, ...others.value]);
    if (!removed.ok) return removed;
    const left = await store.servers.update(this.key, () => Promise.resolve(undefined), ending);
    return left.ok ? ok(undefined) : left;
  }

  /** Credentials for the same resource under our other clients; they would be used in place of the deleted one. */
  async #withOtherClients(key: CredentialKey): AuthorizationResult<readonly CredentialKey[]> {
    if (configuredClient(this.#server.settings) !== undefined) return ok([]);
    const kept = await this.#ports.store.registrations.read({ issuer: key.issuer });
    if (!kept.ok) return kept;
    const { client, device } = kept.value ?? {};
    return ok(
      [client, device].flatMap((each) => (each === undefined ? [] : [{ ...key, client: each.id }])),
    );
  }

  async #remove(keys: readonly CredentialKey[]): AuthorizationResult<void> {
    const { store, ending } = this.#ports;
    for (const key of keys) {
      const removed = await store.credentials.update(key, () => Promise.resolve(undefined), ending);
      if (!removed.ok) return removed;
    }
    return ok(undefined);
  }

  /**
   * What is configured for one authorization server is sent to no other. Without `issuer`, a configured
   * client belongs to the one that it was first used with.
   */
  async checkIssuer(server: AuthorizationServer): AuthorizationResult<AuthorizationServer> {
    const { settings } = this.#server;
    const known = await this.#ports.store.servers.read(this.key);
    if (!known.ok) return known;
    const hasClient = configuredClient(settings) !== undefined;
    const before = hasClient ? known.value?.credential.issuer : undefined;
    const meant = settings.issuer ?? before;
    // A server without metadata is identified by its origin, with a slash.
    return meant === undefined || meant === server.issuer || `${meant}/` === server.issuer
      ? ok(server)
      : err({ kind: 'issuer-mismatch', where: 'client' });
  }

  /** The credential for this server at an authorization server, whichever server it was obtained for. */
  async credentialAt(server: AuthorizationServer): AuthorizationResult<Credential | undefined> {
    const { store } = this.#ports;
    const { settings } = this.#server;
    const known = await store.servers.read(this.key);
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

  /** Includes refusals of other servers that need the same sign-in. */
  #endRefusals(issuers: readonly string[]): Promise<void> {
    const { account, xaa } = this.#server.settings;
    return this.#ports.refusals.forget({
      server: this.key,
      account,
      issuers: xaa === undefined ? issuers : [...issuers, xaa.issuer],
    });
  }

  get #refusalKey(): RefusalKey {
    return { ...this.key, entry: this.#server.entry };
  }

  get key(): ServerKey {
    const { url, settings } = this.#server;
    return { url, account: settings.account, client: settings.clientId ?? '' };
  }
}

function isReplaced(before: CredentialKey, now: CredentialKey): boolean {
  const isSame = (field: keyof CredentialKey): boolean => before[field] === now[field];
  return isSame('issuer') && isSame('account') && isSame('resource') && !isSame('client');
}
