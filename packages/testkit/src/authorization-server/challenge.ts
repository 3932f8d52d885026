// The WWW-Authenticate header of a protected server for a refused client.

import type { Access } from './access-check.ts';

export interface ChallengeOptions {
  readonly scheme: 'Bearer' | 'DPoP';
  /** The address of the server's metadata; omitted from the challenge if `undefined`. */
  readonly resourceMetadata: string | undefined;
  /** The scopes for a first sign-in. */
  readonly scopes: readonly string[];
}

export interface Challenge {
  readonly status: 401 | 403;
  readonly header: string;
}

export function challengeFor(
  access: Exclude<Access, { readonly kind: 'allowed' }>,
  options: ChallengeOptions,
): Challenge {
  const { resourceMetadata } = options;
  const place = resourceMetadata === undefined ? {} : { resource_metadata: resourceMetadata };
  const write = (parameters: Readonly<Record<string, string>>): string =>
    header(options.scheme, { ...parameters, ...place });
  const scope = options.scopes.length === 0 ? {} : { scope: options.scopes.join(' ') };
  switch (access.kind) {
    case 'no-token':
      return { status: 401, header: write(scope) };
    case 'invalid-token': {
      const { description } = access;
      const error = { error: 'invalid_token', error_description: description };
      return { status: 401, header: write({ ...error, ...scope }) };
    }
    case 'invalid-proof': {
      const error = { error: access.error, error_description: access.description };
      return { status: 401, header: write(error) };
    }
    case 'insufficient-scope': {
      const error = { error: 'insufficient_scope', scope: access.scopes.join(' ') };
      return { status: 403, header: write(error) };
    }
    default:
      return access satisfies never;
  }
}

function header(scheme: string, parameters: Readonly<Record<string, string>>): string {
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `${scheme} ${written.join(', ')}`.trim();
}
