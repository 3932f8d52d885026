// What a protected server says of itself (RFC 9728), and where it says so.

import type { JsonObject } from '@plugboard/base';
import { overwritten } from './metadata.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

export interface ResourceMetadata {
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopesSupported?: readonly string[];
  /** Written over the fields; `null` takes a field out. */
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

/** Where it stands for a server at this path: with the path put behind, or at the root. */
export function resourceMetadataPath(place: 'path' | 'root', serverPath: string): string {
  return place === 'path' ? `${WELL_KNOWN}${serverPath}` : WELL_KNOWN;
}
