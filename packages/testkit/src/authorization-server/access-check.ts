// Decides whether a request to a protected server may pass. The server answers.

import type { IncomingHttpHeaders } from 'node:http';
import type { ProofChecker } from './dpop-proof.ts';
import type { AccessToken } from './token-store.ts';

export interface AccessRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface AccessRules {
  readonly resource: string;
  /** `any`: a server that does not check the audience of a token. */
  readonly audience: 'checked' | 'any';
  readonly dpop: 'off' | 'accepted' | 'required';
  readonly scopes: readonly string[];
  readonly proofs: ProofChecker;
  find(token: string): AccessToken | undefined;
}

export type Access =
  | { readonly kind: 'allowed'; readonly token: AccessToken }
  /** Without a token, the challenge has no error. */
  | { readonly kind: 'no-token' }
  | { readonly kind: 'invalid-token'; readonly description: string }
  | { readonly kind: 'invalid-proof'; readonly error: string; readonly description: string }
  | { readonly kind: 'insufficient-scope'; readonly scopes: readonly string[] };

export function checkAccess(request: AccessRequest, rules: AccessRules): Access {
  const { scheme, value } = credentialsOf(request.headers);
  if (scheme === undefined || value === undefined) return { kind: 'no-token' };
  const token = rules.find(value);
  if (token === undefined) return refused('unknown, expired or revoked');
  if (rules.audience === 'checked' && token.grant.resource !== rules.resource) {
    return refused('made for another resource');
  }
  const proof = checkBinding(request, { scheme, token, rules });
  if (proof !== undefined) return proof;
  const missing = rules.scopes.filter((scope) => !token.grant.scopes.includes(scope));
  if (missing.length > 0) return { kind: 'insufficient-scope', scopes: rules.scopes };
  return { kind: 'allowed', token };
}

/** A token that is bound to a key requires a proof with that key. */
function checkBinding(
  request: AccessRequest,
  { scheme, token, rules }: { scheme: string; token: AccessToken; rules: AccessRules },
): Access | undefined {
  const bound = token.grant.keyThumbprint;
  if (rules.dpop === 'off' || (bound === undefined && rules.dpop === 'accepted')) {
    return scheme === 'bearer' ? undefined : refused('not a bearer token');
  }
  const proof = request.headers['dpop'];
  if (scheme !== 'dpop' || proof === undefined) return refused('a proof is needed');
  const checked = rules.proofs.check({
    proof: String(proof),
    method: request.method,
    url: request.url,
    accessToken: token.value,
  });
  if (!checked.ok) return { kind: 'invalid-proof', ...checked.error };
  return checked.value === bound ? undefined : refused('bound to another key');
}

function credentialsOf(headers: IncomingHttpHeaders): { scheme?: string; value?: string } {
  const [scheme, value] = (headers.authorization ?? '').split(' ');
  if (scheme === undefined || value === undefined) return {};
  return { scheme: scheme.toLowerCase(), value };
}

function refused(description: string): Access {
  return { kind: 'invalid-token', description };
}
