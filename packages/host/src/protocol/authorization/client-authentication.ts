// Authenticates a client at the endpoints of an authorization server: in the form that the SDK requires, and in forms that
// are sent without the SDK.

import {
  type AuthorizationServerMetadata,
  createPrivateKeyJwtAuth,
  type OAuthClientInformationMixed,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import type { OAuthClient } from '../neutral/authorization-server.ts';

export function informationOf(client: OAuthClient): OAuthClientInformationMixed {
  const { id, secret, authMethod } = client;
  return {
    client_id: id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(authMethod === undefined
      ? {}
      : { token_endpoint_auth_method: authMethod, redirect_uris: [] }),
  };
}

export interface ClientAuthentication {
  readonly clientInformation: OAuthClientInformationMixed;
  readonly addClientAuthentication?: ReturnType<typeof createPrivateKeyJwtAuth>;
}

export function authenticating(client: OAuthClient): ClientAuthentication {
  const { id, privateKey } = client;
  const clientInformation = informationOf(client);
  if (privateKey === undefined) return { clientInformation };
  return {
    clientInformation,
    addClientAuthentication: createPrivateKeyJwtAuth({
      issuer: id,
      subject: id,
      privateKey: privateKey.pem,
      alg: privateKey.algorithm,
    }),
  };
}

/** Adds the authentication of the token endpoint to a form. Other endpoints accept the same. */
export async function authenticateForm(
  form: { readonly headers: Headers; readonly fields: URLSearchParams },
  client: OAuthClient,
  metadata: AuthorizationServerMetadata,
): Promise<void> {
  const { headers, fields } = form;
  const { clientInformation, addClientAuthentication } = authenticating(client);
  if (addClientAuthentication !== undefined) {
    // The audience of the assertion is the token endpoint, whichever endpoint receives it.
    await addClientAuthentication(headers, fields, metadata.token_endpoint, metadata);
    return;
  }
  const methods = metadata.token_endpoint_auth_methods_supported ?? [];
  const method = selectClientAuthMethod(clientInformation, methods);
  const { id, secret = '' } = client;
  if (method === 'client_secret_basic') {
    const named = [id, secret].map(encodeURIComponent).join(':');
    headers.set('Authorization', `Basic ${Buffer.from(named).toString('base64')}`);
    return;
  }
  fields.set('client_id', id);
  if (method === 'client_secret_post') fields.set('client_secret', secret);
}
