// Classifies what a step of OAuth threw, by its type. Only codes of servers are passed on, since their texts may quote
// secrets.

import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import type { AuthorizationProblem } from '../neutral/authorization.ts';
import { FetchRefused } from '../network/fetch-refused.ts';
import { networkCodeOf } from '../network/network-code.ts';
import { shownAddress } from '../network/shown-url.ts';

/** `address` is the server of the step; `field` is the metadata field with the address that was used. */
export function authorizationProblem(
  thrown: unknown,
  address: string,
  field: string,
): AuthorizationProblem {
  const at = shownAddress(address);
  if (thrown instanceof FetchRefused) return refusal(thrown, field);
  if (thrown instanceof IssuerMismatchError) {
    const where = thrown.kind === 'metadata' ? 'metadata' : 'redirect';
    return { kind: 'issuer-mismatch', where };
  }
  if (thrown instanceof AuthorizationServerMismatchError) {
    return { kind: 'issuer-mismatch', where: 'client' };
  }
  if (thrown instanceof RegistrationRejectedError) {
    return { kind: 'registration-refused', issuer: at, status: thrown.status };
  }
  if (thrown instanceof InsecureTokenEndpointError) {
    return { kind: 'unsafe-address', field: 'token_endpoint' };
  }
  if (thrown instanceof OAuthError) return denied(thrown.code, at);
  const code = networkCodeOf(thrown);
  return code === 'UNKNOWN'
    ? { kind: 'bad-answer', url: at }
    : { kind: 'unreachable', url: at, code };
}

function refusal({ data }: FetchRefused, field: string): AuthorizationProblem {
  const { url } = data;
  switch (data.kind) {
    case 'unreachable':
      return { kind: 'unreachable', url, code: data.code };
    case 'timed-out':
      return { kind: 'unreachable', url, code: 'ETIMEDOUT' };
    case 'too-large':
      return { kind: 'bad-answer', url };
    case 'not-a-url':
    case 'scheme':
    case 'credentials':
    case 'address':
    case 'inner-name':
    case 'redirected':
      return { kind: 'unsafe-address', field, url };
    default:
      throw new RangeError(`no such problem: ${JSON.stringify(data satisfies never)}`);
  }
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 allows more; no code in use has more. */
const CODE = /^[a-z_]{1,64}$/;

function denied(error: string, issuer: string): AuthorizationProblem {
  return { kind: 'denied', issuer, error: CODE.test(error) ? error : 'unknown' };
}
