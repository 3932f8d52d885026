// A real authorization server, and a real MCP server that requires its tokens, both on loopback, for tests of OAuth
// clients. See README.md in this folder.

export type { ClientAuthentication, ClientDocument, KnownClient } from './client-registry.ts';
export { createSigner, readJwt, type Signer } from './jwt.ts';
export { GRANT_TYPES } from './metadata.ts';
export {
  type Fault,
  HOSTILE_ADDRESSES,
  type Misbehaviour,
  type TokenMisbehaviour,
} from './misbehaviour.ts';
export type { AuthorizationServerOptions, DiscoveryPlace, TrustedIssuer } from './options.ts';
export type { Endpoint, LoggedRequest, RequestFilter } from './request-log.ts';
export { type ResourceMetadata, resourceMetadataOf } from './resource-metadata.ts';
export type { Secret, SecretKind } from './secret-ledger.ts';
export {
  type AuthorizationServer,
  startAuthorizationServer,
} from './start-authorization-server.ts';
export {
  type MetadataPlace,
  type ProtectedServer,
  type ProtectedServerMisbehaviour,
  type ProtectedServerOptions,
  type RequiredScopes,
  startProtectedServer,
} from './start-protected-server.ts';
export type { AccessToken, Grant, RefreshToken } from './token-store.ts';
