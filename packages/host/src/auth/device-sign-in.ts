// One sign-in by device code: a client, a code to show, and then polls until it is done, no more often than the
// server allows and no longer than the code is valid. The caller decides when to ask the user.
// https://www.rfc-editor.org/rfc/rfc8628

import { abortable, definedFields, delay, err, ok } from '@plugboard/base';
import type { AuthorizationProblem, DeviceCode, OAuthClient, Tokens } from '../protocol/index.ts';
import { clientForDevice } from './choose-client.ts';
import type { Credential } from './credential.ts';
import { keepSignIn, type SignInTerms } from './keep-sign-in.ts';
import type { LoginWay } from './login-way.ts';
import type { AuthorizationPorts, AuthorizationResult } from './ports.ts';
import { isPassing } from './problems.ts';

export interface DeviceSignIn extends SignInTerms {
  readonly show: Extract<LoginWay, { readonly kind: 'device' }>['show'];
  readonly signal: AbortSignal;
}

/** https://www.rfc-editor.org/rfc/rfc8628#section-3.5 */
const SLOWER_MS = 5000;
const SLOWEST_MS = 60_000;

export async function deviceSignIn(
  options: DeviceSignIn,
  ports: AuthorizationPorts,
): AuthorizationResult<Credential> {
  const { server, settings, scope, show } = options;
  if (!server.offersDeviceCode) return err({ kind: 'device-not-offered', issuer: server.issuer });
  const signal = AbortSignal.any([options.signal, ports.ending]);
  const client = await clientForDevice(server, { settings, scope }, ports);
  if (!client.ok) return client;
  const got = await server.askForDeviceCode({ client: client.value, scope });
  if (!got.ok) return got;
  const { verificationUrl, completeUrl, userCode, expiresInSeconds } = got.value;
  if (signal.aborted) return err(CANCELLED);
  show({
    verificationUrl,
    ...definedFields({ completeUrl }),
    userCode,
    expiresAt: ports.clock.now() + expiresInSeconds * 1000,
  });
  const waiting = { ...options, client: client.value, code: got.value, signal };
  const tokens = await pollUntilEntered(waiting, ports);
  if (!tokens.ok) return tokens;
  return keepSignIn(options, { client: client.value, tokens: tokens.value }, ports);
}

interface DevicePoll extends SignInTerms {
  readonly client: OAuthClient;
  readonly code: DeviceCode;
  readonly signal: AbortSignal;
}

const CANCELLED: AuthorizationProblem = { kind: 'not-signed-in', reason: 'cancelled' };

async function pollUntilEntered(
  waiting: DevicePoll,
  ports: AuthorizationPorts,
): AuthorizationResult<Tokens> {
  try {
    return await poll(waiting, ports);
  } catch (thrown) {
    if (waiting.signal.aborted) return err(CANCELLED);
    throw thrown;
  }
}

async function poll(
  waiting: DevicePoll,
  { clock }: AuthorizationPorts,
): AuthorizationResult<Tokens> {
  const { server, client, code, dpop, signal } = waiting;
  const { deviceCode } = code;
  const end = clock.elapsed() + code.expiresInSeconds * 1000;
  const expired: AuthorizationProblem = { kind: 'device-expired', issuer: server.issuer };
  let pauseMs = code.intervalSeconds * 1000;
  // The problem to report when time is up: that the user did not enter the code, or that the last poll failed.
  let last: AuthorizationProblem = expired;
  for (let left = end - clock.elapsed(); left > 0; left = end - clock.elapsed()) {
    await delay(Math.min(pauseMs, left), clock, signal);
    const polled = await abortable(server.redeemDeviceCode({ client, dpop, deviceCode }), signal);
    if (!polled.ok && !isPassing(polled.error)) return polled;
    if (polled.ok && polled.value.kind === 'tokens') return ok(polled.value.tokens);
    last = polled.ok ? expired : polled.error;
    pauseMs = polled.ok
      ? pauseMs + (polled.value.kind === 'slow-down' ? SLOWER_MS : 0)
      : Math.max(pauseMs, Math.min(pauseMs * 2, SLOWEST_MS));
  }
  return err(last);
}
