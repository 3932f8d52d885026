// The state that the endpoints of a running server share. It is created when the port is known, since addresses contain
// the port.

import type { Clock } from '@plugboard/base';
import { ClientRegistry } from './client-registry.ts';
import { DeviceRequests } from './device-requests.ts';
import { ProofChecker } from './dpop-proof.ts';
import { createSigner, type Signer } from './jwt.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import type { Settings } from './options.ts';
import { SecretLedger } from './secret-ledger.ts';
import { TokenStore } from './token-store.ts';

export interface Realm {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly origin: string;
  readonly issuer: string;
  readonly clients: ClientRegistry;
  readonly tokens: TokenStore;
  readonly secrets: SecretLedger;
  readonly devices: DeviceRequests;
  readonly proofs: ProofChecker;
  readonly signer: Signer;
  /** Ids of used assertions; each is valid once. */
  readonly usedAssertions: Set<string>;
  /** The settings that can change while the server runs. */
  readonly now: { account: string; misbehaviour: Misbehaviour; approval: Settings['approval'] };
}

export function realmAt(origin: string, settings: Settings): Realm {
  const { clock, account, misbehaviour, approval } = settings;
  const secrets = new SecretLedger();
  for (const { secret } of settings.clients) {
    if (secret !== undefined) secrets.keep('client-secret', secret);
  }
  const given = new Map(settings.givenDocuments.map((document) => [document.client_id, document]));
  const documents = { kind: settings.clientDocuments, given };
  return {
    settings,
    clock,
    origin,
    issuer: `${origin}${settings.issuerPath}`,
    clients: new ClientRegistry(settings.clients, documents),
    tokens: new TokenStore({ clock, secrets }, settings),
    secrets,
    devices: new DeviceRequests({ clock, secrets }, settings),
    proofs: new ProofChecker(clock, { nonce: settings.dpopNonce }),
    signer: createSigner(),
    usedAssertions: new Set(),
    now: { account, misbehaviour, approval },
  };
}

/** The address of an endpoint of this server. */
export function endpointOf(realm: Realm, path: string): string {
  return `${realm.issuer}${path}`;
}
