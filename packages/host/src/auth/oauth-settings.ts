// Reads the `oauth` of an entry, with its secrets filled in. Pure.

import { definedFields, err, isObject, ok, type Result } from '@plugboard/base';

export interface OAuthSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** In place of a secret, in PEM. */
  readonly privateKey?: string;
  readonly privateKeyAlgorithm: string;
  readonly clientMetadataUrl?: string;
  readonly callbackPort?: number;
  readonly callbackHost?: CallbackHost;
  readonly authServerMetadataUrl?: string;
  /** The only authorization server that the client may be used with. */
  readonly issuer?: string;
  readonly scopes?: string;
  /** One server can be used under several accounts. */
  readonly account: string;
  readonly grant: 'authorization_code' | 'client_credentials' | 'jwt-bearer';
  /** For `jwt-bearer`: the token that identifies the workload. */
  readonly assertion?: string;
  /** If absent, decided by what the server requires. */
  readonly dpop?: boolean;
  readonly xaa?: CrossAppAccess;
}

/** The name of this machine in the address that the browser returns to. */
export type CallbackHost = '127.0.0.1' | 'localhost';

/** The identity provider that vouches for the user at the authorization server. */
export interface CrossAppAccess {
  readonly issuer: string;
  /** If absent, it is discovered. */
  readonly tokenEndpoint?: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** If absent, the user signs in at the identity provider once. */
  readonly idToken?: string;
  readonly callbackPort?: number;
  readonly callbackHost?: CallbackHost;
}

const DEFAULT_ACCOUNT = 'default';

/** The error is the name of the field that cannot be read. */
export function readOAuthSettings(
  raw: Readonly<Record<string, unknown>> = {},
): Result<OAuthSettings, string> {
  const texts = textFields(raw, TEXTS);
  if (!texts.ok) return texts;
  const callback = callbackOf(raw);
  if (!callback.ok) return callback;
  const { scopes, dpop, grant = 'authorization_code', xaa } = raw;
  const scope = scopeOf(scopes);
  if (scopes !== undefined && scope === undefined) return err('scopes');
  if (dpop !== undefined && typeof dpop !== 'boolean') return err('dpop');
  if (!isGrant(grant)) return err('grant');
  const crossApp = xaa === undefined || xaa === false ? ok(undefined) : readCrossApp(xaa);
  if (!crossApp.ok) return err(`xaa.${crossApp.error}`);
  return ok({
    privateKeyAlgorithm: 'ES256',
    account: DEFAULT_ACCOUNT,
    ...texts.value,
    grant,
    ...callback.value,
    ...definedFields({ scopes: scope, dpop, xaa: crossApp.value }),
  });
}

const TEXTS = [
  'clientId',
  'clientSecret',
  'privateKey',
  'privateKeyAlgorithm',
  'clientMetadataUrl',
  'authServerMetadataUrl',
  'issuer',
  'account',
  'assertion',
] as const;

function textFields<Key extends string>(
  raw: Readonly<Record<string, unknown>>,
  keys: readonly Key[],
): Result<{ readonly [K in Key]?: string }, string> {
  const texts: { [K in Key]?: string } = {};
  for (const key of keys) {
    const value = raw[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '') return err(key);
    texts[key] = value;
  }
  return ok(texts);
}

function readCrossApp(raw: unknown): Result<CrossAppAccess, string> {
  if (!isObject(raw)) return err('issuer');
  const texts = textFields(raw, ['issuer', 'tokenEndpoint', 'clientId', 'clientSecret', 'idToken']);
  if (!texts.ok) return texts;
  const { issuer, clientId, ...others } = texts.value;
  if (issuer === undefined) return err('issuer');
  if (clientId === undefined) return err('clientId');
  const callback = callbackOf(raw);
  return callback.ok ? ok({ issuer, clientId, ...others, ...callback.value }) : callback;
}

function callbackOf({
  callbackPort,
  callbackHost,
}: Readonly<Record<string, unknown>>): Result<
  Pick<OAuthSettings, 'callbackPort' | 'callbackHost'>,
  string
> {
  if (callbackPort !== undefined && !isPort(callbackPort)) return err('callbackPort');
  if (callbackHost !== undefined && callbackHost !== '127.0.0.1' && callbackHost !== 'localhost') {
    return err('callbackHost');
  }
  return ok(definedFields({ callbackPort, callbackHost }));
}

function scopeOf(scopes: unknown): string | undefined {
  if (typeof scopes === 'string') return scopes;
  const isList = Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string');
  return isList ? scopes.join(' ') : undefined;
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
}

function isGrant(value: unknown): value is OAuthSettings['grant'] {
  return value === 'authorization_code' || value === 'client_credentials' || value === 'jwt-bearer';
}
