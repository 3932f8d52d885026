// Obtains credentials for one server: by a refresh token, by a machine grant, or by a sign-in of the user.
// Holds the key that tokens are bound to. The caller chooses the way and uses the result.

import { definedFields, err, type Result } from '@plugboard/base';
import {
  type AuthorizationProblem,
  type AuthorizationServer,
  type Challenge,
  type DpopKey,
  dpopKey,
} from '../protocol/index.ts';
import { configuredClient } from './choose-client.ts';
import { type Credential, credentialKey } from './credential.ts';
import type { LoginWay } from './login-way.ts';
import { isMachine, machineTokens } from './machine-grant.ts';
import type { AuthorizationPorts, AuthorizedServer } from './ports.ts';
import { obtainCredential, refreshCredential } from './renew.ts';
import { scopeToAsk } from './scopes.ts';
import { signInBy } from './sign-in-by.ts';

export type CredentialResult = Result<Credential, AuthorizationProblem>;

interface CredentialRequest {
  readonly challenge: Challenge;
  /** The scope that was requested before, if more is requested now. */
  readonly before: string | undefined;
}

export class CredentialSource {
  readonly #server: AuthorizedServer;
  readonly #ports: AuthorizationPorts;
  #key: DpopKey | undefined;

  constructor(server: AuthorizedServer, ports: AuthorizationPorts) {
    this.#server = server;
    this.#ports = ports;
  }

  /** `refused` is the token that must not be returned again. */
  async renew(
    server: AuthorizationServer,
    credential: Credential,
    refused: string | undefined,
  ): Promise<CredentialResult> {
    if (isMachine(this.#server.settings) && credential.refreshToken === undefined) {
      const before = credential.requestedScope;
      return this.obtain(server, { challenge: { wantsNonce: false }, refused, before });
    }
    const client = configuredClient(this.#server.settings) ?? credential.registered;
    if (client === undefined) return err({ kind: 'sign-in-needed', issuer: server.issuer });
    const dpop = await this.keyFor(credential);
    return refreshCredential(
      {
        key: credentialKey(credential),
        refused,
        refresh: (refreshToken) => server.refresh({ client, dpop, refreshToken }),
      },
      this.#ports,
    );
  }

  async obtain(
    server: AuthorizationServer,
    options: CredentialRequest & {
      readonly refused: string | undefined;
      /** Set if the user asked to sign in now. */
      readonly way?: LoginWay;
      readonly signal?: AbortSignal;
    },
  ): Promise<CredentialResult> {
    const { browser, ending } = this.#ports;
    const { settings } = this.#server;
    const { issuer, resource = '' } = server;
    const scope = this.#scopeAt(
      { resourceScopes: server.resourceScopes, offersOfflineAccess: false },
      options,
    );
    const dpop = await this.#keyAt(server);
    const { account, clientId: client = '' } = settings;
    const fresh = {
      ...{ issuer, client, account, resource },
      ...definedFields({ requestedScope: scope, dpopKey: dpop?.jwk }),
    };
    const way = options.way ?? (browser && { kind: 'browser', browser });
    const { signal = ending } = options;
    const request = () =>
      machineTokens({ server, settings, scope, dpop, way, signal }, this.#ports);
    return obtainCredential({ fresh, refused: options.refused, request }, this.#ports);
  }

  async signIn(
    server: AuthorizationServer,
    options: CredentialRequest & { readonly way: LoginWay; readonly signal: AbortSignal },
  ): Promise<CredentialResult> {
    const { settings } = this.#server;
    const { way, signal } = options;
    const scope = this.#scopeAt(server, options);
    const dpop = await this.#keyAt(server);
    return signInBy(way, { server, settings, scope, dpop, signal }, this.#ports);
  }

  #scopeAt(
    server: Pick<AuthorizationServer, 'resourceScopes' | 'offersOfflineAccess'>,
    options: CredentialRequest,
  ): string | undefined {
    const configured = this.#server.settings.scopes;
    return scopeToAsk(server, {
      configured,
      challenged: options.challenge.scope,
      before: options.before,
    });
  }

  /** Returns the same object for the same key: it holds the nonces. */
  async keyFor({ dpopKey: kept }: Pick<Credential, 'dpopKey'>): Promise<DpopKey | undefined> {
    if (kept === undefined) return undefined;
    if (this.#key?.jwk['d'] !== kept['d']) this.#key = await dpopKey(kept);
    return this.#key;
  }

  async #keyAt({ requiresDpop }: AuthorizationServer): Promise<DpopKey | undefined> {
    const isWanted = this.#server.settings.dpop ?? requiresDpop;
    if (isWanted) this.#key ??= await dpopKey();
    return isWanted ? this.#key : undefined;
  }
}
