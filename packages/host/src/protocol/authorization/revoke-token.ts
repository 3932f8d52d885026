// Gives a token back to the authorization server that made it (RFC 7009), which the SDK has no step for.
// Whose token it is, and what to do where it is not taken back, is the caller's business.

import { type AuthorizationServerMetadata, parseErrorResponse } from '@modelcontextprotocol/client';
import type { Fetch, OAuthClient } from '../neutral/authorization-server.ts';
import { authenticateForm } from './client-authentication.ts';

export interface TokenToRevoke {
  readonly endpoint: string;
  readonly metadata: AuthorizationServerMetadata;
  readonly fetch: Fetch;
  readonly client: OAuthClient;
  readonly token: string;
  readonly kind: 'access_token' | 'refresh_token';
}

/** Rejects with what the server said where it did not take the token back. */
export async function revokeToken(wish: TokenToRevoke): Promise<void> {
  const { endpoint, metadata, client, token, kind, fetch } = wish;
  const headers = new Headers({ accept: 'application/json' });
  const fields = new URLSearchParams({ token, token_type_hint: kind });
  await authenticateForm({ headers, fields }, client, metadata);
  const form = { method: 'POST', headers, body: fields, redirect: 'manual' } as const;
  const response = await fetch(endpoint, form);
  if (!response.ok) throw await parseErrorResponse(response);
}
