// Checks whether a metadata document can speak for the issuer that it names, since any document can name any issuer. Pure.

import { isUrl } from '@plugboard/base';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';

/** Endpoints to which secrets, codes, tokens or users are sent. */
const ENDPOINTS = [
  'token_endpoint',
  'authorization_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
] as const;

export interface PublishedMetadata {
  readonly metadata: AuthorizationServerMetadata;
  /** A field that the SDK does not define. */
  readonly deviceEndpoint: string | undefined;
}

/**
 * The endpoint that may not belong to the issuer; `undefined` if the document can speak for the issuer. A
 * document at a well-known address of the issuer may name any endpoint: those of Google and Cognito are on
 * other hosts. A document elsewhere may only name endpoints of the issuer's own origin.
 */
export function strayEndpoint(
  published: PublishedMetadata,
  metadataUrl: string,
): string | undefined {
  const { metadata, deviceEndpoint } = published;
  const { issuer } = metadata;
  if (!isUrl(issuer)) return 'issuer';
  if (wellKnownPlaces(new URL(issuer)).includes(new URL(metadataUrl).href)) return undefined;
  // Includes fields of OpenID Connect, some of which the SDK's types omit.
  const named: Readonly<Record<string, unknown>> = {
    ...metadata,
    device_authorization_endpoint: deviceEndpoint,
  };
  const { origin } = new URL(issuer);
  return ENDPOINTS.find((field) => {
    const place = named[field];
    return typeof place === 'string' && !(isUrl(place) && new URL(place).origin === origin);
  });
}

/** https://www.rfc-editor.org/rfc/rfc8414#section-3, and the location that OpenID Connect defines. */
function wellKnownPlaces({ origin, pathname }: URL): readonly string[] {
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}
