// Revokes a token at its authorization server (RFC 7009), for which the SDK has no function. The caller selects the token
// and handles failures.

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

/** Rejects with the server's error if it does not revoke the token. */
export async function revokeToken(request: TokenToRevoke): Promise<void> {
  const { endpoint, metadata, client, token, kind, fetch } = request;
  const headers = new Headers({ accept: 'application/json' });
  const fields = new URLSearchParams({ token, token_type_hint: kind });
  await authenticateForm({ headers, fields }, client, metadata);
  const form = { method: 'POST', headers, body: fields, redirect: 'manual' } as const;
  const response = await fetch(endpoint, form);
  if (!response.ok) throw await parseErrorResponse(response);
}
