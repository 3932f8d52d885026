// The endpoint at which a device without a browser requests a code (RFC 8628), and the page on which a person enters it.

import { type Answer, empty, html, json, oauthError } from './answer.ts';
import { authenticate } from './client-authentication.ts';
import type { DeviceRequest } from './device-requests.ts';
import { overwritten, PATHS } from './metadata.ts';
import { devicePage, messagePage } from './pages.ts';
import { endpointOf, type Realm } from './realm.ts';
import type { LoggedRequest } from './request-log.ts';
import { scopesOf } from './token-request.ts';

export async function deviceAuthorizationEndpoint(
  request: LoggedRequest,
  realm: Realm,
): Promise<Answer> {
  if (request.method !== 'POST') return empty(405);
  const client = await authenticate(request, realm);
  if (!client.ok) return oauthError(client.error);
  const { scope, resource } = request.parameters;
  const { deviceCode, userCode } = realm.devices.open({
    clientId: client.value.id,
    scopes: scopesOf(scope),
    ...(resource === undefined ? {} : { resource }),
  });
  const page = endpointOf(realm, PATHS.device);
  const answer = {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: realm.settings.deviceCodeSeconds,
    interval: realm.settings.deviceIntervalSeconds,
  };
  return json(overwritten(answer, realm.now.misbehaviour.device));
}

export function deviceEndpoint({ method, parameters }: LoggedRequest, realm: Realm): Answer {
  const { user_code: userCode = '', decision } = parameters;
  if (method === 'GET') return html(devicePage(endpointOf(realm, PATHS.device), userCode));
  if (method !== 'POST') return empty(405);
  const request = pendingDevice(realm, userCode);
  if (request === undefined) return html(messagePage('Unknown code', 'Type it again.'), 400);
  decideDevice(realm, request, decision === 'allow' ? 'approved' : 'denied');
  return html(messagePage('Done', 'You can close this page and go back to the device.'));
}

/** The request, if it is still pending. */
export function pendingDevice(realm: Realm, userCode: string): DeviceRequest | undefined {
  const request = realm.devices.find(userCode);
  if (request?.state.kind !== 'pending') return undefined;
  return realm.clock.now() < request.expires ? request : undefined;
}

export function decideDevice(
  realm: Realm,
  request: DeviceRequest,
  decision: 'approved' | 'denied',
): void {
  const approved = { kind: 'approved', subject: realm.now.account } as const;
  realm.devices.decide(request, decision === 'approved' ? approved : { kind: 'denied' });
}
