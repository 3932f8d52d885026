// The options of an authorization server. By default, it supports everything that the MCP authorization chapter
// requires, and approves every sign-in by itself.

import type { JsonWebKey } from 'node:crypto';
import { type Clock, systemClock } from '@plugboard/base';
import type { ClientDocument, KnownClient } from './client-registry.ts';
import type { Misbehaviour } from './misbehaviour.ts';

/** A place of the metadata. `oidc-appended` differs from `oidc` only for an issuer with a path. */
export type DiscoveryPlace = 'oauth' | 'oidc' | 'oidc-appended';

/** An issuer whose signed assertions are accepted. An `AuthorizationServer` is one. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly publicKeys: readonly JsonWebKey[];
}

export interface AuthorizationServerOptions {
  readonly clock?: Clock;
  /** `/tenant` makes the issuer `http://127.0.0.1:1234/tenant`. */
  readonly issuerPath?: `/${string}`;
  readonly host?: '127.0.0.1' | 'localhost';
  /** Its origin for clients behind a proxy: `https://login.example.com`. */
  readonly publicOrigin?: string;
  readonly discovery?: readonly DiscoveryPlace[];
  /** A further path of the metadata, for clients with a configured one. */
  readonly metadataPath?: `/${string}`;
  readonly scopesSupported?: readonly string[];

  readonly clients?: readonly KnownClient[];
  readonly registration?: 'open' | 'unsupported' | 'refused';
  readonly clientDocuments?: 'fetched' | 'unsupported';
  /** Documents that are not fetched, since https addresses have no server on this machine. */
  readonly givenDocuments?: readonly ClientDocument[];
  /** The lifetime of the secret of a registered client. */
  readonly clientSecretSeconds?: number;

  /** `page` shows a page with two buttons. */
  readonly approval?: 'automatic' | 'page' | 'denied';
  /** The signed-in account. */
  readonly account?: string;
  readonly pkce?: 'required' | 'optional';
  readonly resourceIndicator?: 'optional' | 'required';

  readonly codeSeconds?: number;
  readonly accessTokenSeconds?: number;
  readonly refreshTokenSeconds?: number;
  readonly deviceCodeSeconds?: number;
  readonly deviceIntervalSeconds?: number;
  readonly refreshTokens?: 'rotating' | 'fixed' | 'none';
  /** `offline-access`: only with the scope `offline_access`. */
  readonly refreshTokensFor?: 'everybody' | 'offline-access';

  readonly dpop?: 'off' | 'accepted' | 'required';
  readonly dpopNonce?: 'off' | 'required';
  /** Trusted issuers for `jwt-bearer`: workload platforms, and identity providers. */
  readonly trusts?: readonly TrustedIssuer[];

  readonly misbehaviour?: Misbehaviour;
}

export type Settings = Required<
  Omit<
    AuthorizationServerOptions,
    'metadataPath' | 'clientSecretSeconds' | 'issuerPath' | 'publicOrigin'
  >
> & {
  readonly metadataPath: string | undefined;
  readonly clientSecretSeconds: number | undefined;
  readonly publicOrigin: string | undefined;
  readonly issuerPath: string;
};

const YEAR_SECONDS = 365 * 24 * 3600;

export function settingsOf(options: AuthorizationServerOptions): Settings {
  return {
    clock: systemClock,
    issuerPath: '',
    publicOrigin: undefined,
    host: '127.0.0.1',
    discovery: ['oauth', 'oidc', 'oidc-appended'],
    metadataPath: undefined,
    scopesSupported: ['openid', 'offline_access', 'read', 'write', 'admin'],
    clients: [],
    registration: 'open',
    clientDocuments: 'fetched',
    givenDocuments: [],
    clientSecretSeconds: undefined,
    approval: 'automatic',
    account: 'alice',
    pkce: 'required',
    resourceIndicator: 'optional',
    codeSeconds: 60,
    accessTokenSeconds: 3600,
    refreshTokenSeconds: YEAR_SECONDS,
    deviceCodeSeconds: 600,
    deviceIntervalSeconds: 5,
    refreshTokens: 'rotating',
    refreshTokensFor: 'everybody',
    dpop: 'accepted',
    dpopNonce: 'off',
    trusts: [],
    misbehaviour: {},
    ...options,
  };
}
