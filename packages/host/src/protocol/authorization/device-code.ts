// Requests a device code and reads the answer. The answer is shown to the user or used as a waiting time, so hostile or
// out-of-range values are not used.
// https://www.rfc-editor.org/rfc/rfc8628

import { type AuthorizationServerMetadata, parseErrorResponse } from '@modelcontextprotocol/client';
import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import type { AuthorizationProblem } from '../neutral/authorization.ts';
import type { DeviceCode, Fetch, OAuthClient } from '../neutral/authorization-server.ts';
import { authenticateForm } from './client-authentication.ts';
import { authorizationProblem } from './authorization-problem.ts';
import { isSafeAddress } from '../network/url-guard.ts';

export interface DeviceEndpoint {
  readonly url: string;
  readonly metadata: AuthorizationServerMetadata;
  readonly resource: string | undefined;
  readonly fetch: Fetch;
}

type DeviceResult<T> = Result<T, AuthorizationProblem>;

export async function askForDeviceCode(
  endpoint: DeviceEndpoint,
  { client, scope }: { readonly client: OAuthClient; readonly scope: string | undefined },
): Promise<DeviceResult<DeviceCode>> {
  const { url, metadata, resource, fetch } = endpoint;
  const { homes } = fetch;
  const field = 'device_authorization_endpoint';
  const unsafe = unsafeField({ [field]: url, token_endpoint: metadata.token_endpoint }, homes);
  if (unsafe !== undefined) return err(unsafe);
  const headers = new Headers({ accept: 'application/json' });
  const fields = new URLSearchParams();
  if (scope !== undefined) fields.set('scope', scope);
  if (resource !== undefined) fields.set('resource', resource);
  try {
    await authenticateForm({ headers, fields }, client, metadata);
    // A followed redirect would send the client secret to another address.
    const init = { method: 'POST', headers, body: fields, redirect: 'manual' } as const;
    const response = await fetch(url, init);
    if (response.ok) return readDeviceCode(await response.text(), metadata.issuer, homes);
    return err(authorizationProblem(await parseErrorResponse(response), metadata.issuer, field));
  } catch (thrown) {
    return err(authorizationProblem(thrown, metadata.issuer, field));
  }
}

const LIMITS = { maxLength: 64 * 1024, maxDepth: 16 };
const MAX_CODE_LENGTH = 64;
const MAX_ADDRESS_LENGTH = 2048;
/** In seconds: the default, and the limits for the server's value. */
const INTERVAL = { usual: 5, least: 1, most: 60 };
const LIFETIME = { usual: 600, least: 1, most: 1800 };

function readDeviceCode(
  text: string,
  issuer: string,
  homes: readonly URL[],
): DeviceResult<DeviceCode> {
  const bad = err({ kind: 'bad-answer', url: issuer } as const);
  const parsed = parseJson(text, LIMITS);
  if (!parsed.ok || !isObject(parsed.value)) return bad;
  const {
    device_code: deviceCode,
    user_code: typed,
    expires_in: lifetime,
    interval,
  } = parsed.value;
  // Some servers use the second name, which predates the standard.
  const place = parsed.value['verification_uri'] ?? parsed.value['verification_url'];
  const complete = parsed.value['verification_uri_complete'];
  const userCode = typeof typed === 'string' ? withoutControls(typed) : '';
  if (typeof deviceCode !== 'string' || deviceCode === '' || typeof place !== 'string') return bad;
  if (userCode === '' || userCode.length > MAX_CODE_LENGTH) return bad;
  const hasComplete = typeof complete === 'string';
  const shown = {
    verification_uri: place,
    ...(hasComplete ? { verification_uri_complete: complete } : {}),
  };
  const unsafe = unsafeField(shown, homes);
  if (unsafe !== undefined) return err(unsafe);
  return ok({
    deviceCode,
    userCode,
    verificationUrl: new URL(place),
    ...(hasComplete ? { completeUrl: new URL(complete) } : {}),
    expiresInSeconds: boundedSeconds(lifetime, LIFETIME),
    intervalSeconds: boundedSeconds(interval, INTERVAL),
  });
}

function unsafeField(
  fields: Readonly<Record<string, string>>,
  homes: readonly URL[],
): AuthorizationProblem | undefined {
  const isUnsafe = (address: string): boolean =>
    address.length > MAX_ADDRESS_LENGTH || !isSafeAddress(address, homes);
  const [unsafe] = Object.entries(fields).find(([, address]) => isUnsafe(address)) ?? [];
  return unsafe === undefined ? undefined : { kind: 'unsafe-address', field: unsafe };
}

/** Also removes bidirectional controls and line breaks. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
}

function boundedSeconds(
  stated: unknown,
  { usual, least, most }: { readonly usual: number; readonly least: number; readonly most: number },
): number {
  // Some servers write numbers as strings.
  const value = typeof stated === 'string' && stated.trim() !== '' ? Number(stated) : stated;
  if (typeof value !== 'number' || Number.isNaN(value)) return usual;
  return Math.min(Math.max(value, least), most);
}
