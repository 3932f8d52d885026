// Exchanges a code for tokens: once, for the same client, redirect address and resource, and with the verifier of the
// challenge.

import { createHash } from 'node:crypto';
import { err, ok } from '@plugboard/base';
import type { GrantType, TokenRequest } from './token-request.ts';
import type { CodeRequest } from './token-store.ts';

export const authorizationCode: GrantType = (request) => {
  const { realm, parameters, keyThumbprint } = request;
  const redeemed = realm.tokens.redeemCode(parameters.code ?? '');
  if (!redeemed.ok) return redeemed;
  const code = redeemed.value;
  const problem = problemOf(code, request);
  if (problem !== undefined) return err({ error: 'invalid_grant', description: problem });
  if (parameters.resource !== undefined && parameters.resource !== code.grant.resource) {
    return err({ error: 'invalid_target', description: 'not the resource that was agreed to' });
  }
  const bound = keyThumbprint === undefined ? {} : { keyThumbprint };
  return ok({
    kind: 'tokens',
    grant: { ...code.grant, ...bound },
    family: code.family,
    refresh: { kind: 'new' },
    ...(code.nonce === undefined ? {} : { nonce: code.nonce }),
  });
};

function problemOf(code: CodeRequest, request: TokenRequest): string | undefined {
  const { client, parameters, keyThumbprint } = request;
  if (code.grant.clientId !== client.id) return 'the code is of another client';
  if (parameters.redirect_uri !== code.redirectUri) return 'redirect_uri is not the same';
  const agreed = code.grant.keyThumbprint;
  if (agreed !== undefined && agreed !== keyThumbprint) return 'the code is bound to another key';
  if (code.challenge === undefined) return undefined;
  const verifier = parameters.code_verifier ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return challenge === code.challenge ? undefined : 'the verifier does not fit the challenge';
}
