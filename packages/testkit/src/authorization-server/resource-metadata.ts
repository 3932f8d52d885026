// The metadata of a protected server (RFC 9728), and its path.

import type { JsonObject } from '@plugboard/base';
import { overwritten } from './metadata.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

export interface ResourceMetadata {
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopesSupported?: readonly string[];
  /** Overrides fields; `null` removes a field. */
  readonly fields?: JsonObject;
}

export function resourceMetadataOf(described: ResourceMetadata): JsonObject {
  const { scopesSupported } = described;
  const document: JsonObject = {
    resource: described.resource,
    authorization_servers: [...described.authorizationServers],
    bearer_methods_supported: ['header'],
    ...(scopesSupported === undefined ? {} : { scopes_supported: [...scopesSupported] }),
  };
  return overwritten(document, described.fields);
}

/** The path of the metadata for a server at this path: with that path appended, or at the root. */
export function resourceMetadataPath(place: 'path' | 'root', serverPath: string): string {
  return place === 'path' ? `${WELL_KNOWN}${serverPath}` : WELL_KNOWN;
}
