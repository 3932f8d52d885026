// Finds the authorization server of a resource: by the address in a refusal, by the server's well-known addresses, or by
// the address in the server's entry. The metadata must match its issuer and the requested resource.

import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { err, isObject, isUrl, ok, type Result } from '@plugboard/base';
import type { AuthorizationProblem } from '../neutral/authorization.ts';
import type { AuthorizationServer, Fetch } from '../neutral/authorization-server.ts';
import { FetchRefused } from '../network/fetch-refused.ts';
import { shownAddress } from '../network/shown-url.ts';
import { strayEndpoint } from './issuer-proof.ts';
import { authorizationProblem } from './authorization-problem.ts';
import { isSafeAddress } from '../network/url-guard.ts';
import { type FoundServer, sdkAuthorizationServer } from './sdk-authorization-server.ts';

export interface DiscoverOptions {
  readonly fetch: Fetch;
  /** The address of the resource metadata in a refusal. Hostile. */
  readonly resourceMetadataUrl?: URL | undefined;
  /** The address of the authorization server's metadata, as configured by the user. */
  readonly metadataUrl?: string | undefined;
  /** The only authorization server that may be used, as configured by the user. */
  readonly issuer?: string | undefined;
}

type DiscoveryResult<T> = Promise<Result<T, AuthorizationProblem>>;

export async function discover(
  serverUrl: string,
  options: DiscoverOptions,
): DiscoveryResult<AuthorizationServer> {
  const { fetch, metadataUrl, issuer } = options;
  const described = await resourceMetadata(serverUrl, options);
  if (!described.ok) return described;
  const document = described.value;
  if (document !== undefined && !isFor(serverUrl, document)) {
    return err({ kind: 'resource-mismatch', resource: shownAddress(document.resource) });
  }
  const [named] = document?.authorization_servers ?? [];
  const url = named ?? new URL('/', serverUrl).href;
  if (!isSafeAddress(url, fetch.homes)) {
    return err({ kind: 'unsafe-address', field: 'authorization_servers' });
  }
  const metadata = await (metadataUrl === undefined
    ? publishedAt({ url, field: 'authorization_servers' }, { fetch })
    : metadataAt({ url: metadataUrl, issuer }, fetch));
  if (!metadata.ok) return metadata;
  // Only servers of 2025-03-26, which name no authorization server, may omit metadata. Whether they offer PKCE is unknown.
  const isOld = named === undefined;
  if (metadata.value.metadata === undefined && !isOld) return err({ kind: 'bad-answer', url });
  return ok(
    sdkAuthorizationServer({
      url,
      ...metadata.value,
      // Verbatim: some servers compare it character by character.
      resource: document?.resource ?? canonicalResource(serverUrl),
      resourceScopes: document?.scopes_supported,
      requiresDpop: document?.dpop_bound_access_tokens_required === true,
      fetch,
    }),
  );
}

export interface IdentityProvider {
  readonly issuer: string;
  /**
   * If absent, taken from the metadata. If given, nothing is looked up, and interactive sign-in is not
   * possible.
   */
  readonly tokenEndpoint?: string | undefined;
}

/** Finds an identity provider, which is used without a resource. */
export async function discoverIssuer(
  { issuer, tokenEndpoint }: IdentityProvider,
  fetch: Fetch,
): DiscoveryResult<AuthorizationServer> {
  if (!isSafeAddress(issuer, fetch.homes)) return err({ kind: 'unsafe-address', field: 'issuer' });
  const metadata = await (tokenEndpoint === undefined
    ? publishedAt({ url: issuer, field: 'issuer' }, { fetch })
    : Promise.resolve(ok(endpointOnly(issuer, tokenEndpoint))));
  if (!metadata.ok) return metadata;
  if (metadata.value.metadata === undefined) return err({ kind: 'bad-answer', url: issuer });
  return ok(
    sdkAuthorizationServer({
      url: issuer,
      ...metadata.value,
      resource: undefined,
      resourceScopes: undefined,
      requiresDpop: false,
      fetch,
    }),
  );
}

/** An endpoint on another origin may not belong to the issuer, so credentials of the issuer are not used with it. */
function endpointOnly(issuer: string, tokenEndpoint: string): ServerDescription {
  const isOwn = isUrl(tokenEndpoint) && new URL(tokenEndpoint).origin === new URL(issuer).origin;
  return {
    metadata: {
      issuer,
      token_endpoint: tokenEndpoint,
      authorization_endpoint: '',
      response_types_supported: [],
    },
    deviceEndpoint: undefined,
    ...(isOwn ? {} : { identity: tokenEndpoint }),
  };
}

/** Returns `undefined` if the server publishes none, as before 2025-06-18. */
async function resourceMetadata(
  serverUrl: string,
  { fetch, resourceMetadataUrl }: DiscoverOptions,
): DiscoveryResult<OAuthProtectedResourceMetadata | undefined> {
  // Another origin must not decide which authorization server this one has.
  const isOwn = resourceMetadataUrl?.origin === new URL(serverUrl).origin;
  const places = isOwn ? [resourceMetadataUrl, undefined] : [undefined];
  for (const place of places) {
    try {
      const named = place === undefined ? {} : { resourceMetadataUrl: place };
      return ok(await discoverOAuthProtectedResourceMetadata(serverUrl, named, fetch));
    } catch (thrown) {
      const problem = authorizationProblem(thrown, serverUrl, 'resource_metadata');
      // The SDK reports only that there was no usable answer.
      if (problem.kind !== 'bad-answer' || thrown instanceof FetchRefused) return err(problem);
    }
  }
  return ok(undefined);
}

function isFor(serverUrl: string, { resource }: OAuthProtectedResourceMetadata): boolean {
  if (!isUrl(resource)) return false;
  return checkResourceAllowed({ requestedResource: serverUrl, configuredResource: resource });
}

/** What an authorization server publishes about itself; empty if it publishes nothing. */
type ServerDescription = Pick<FoundServer, 'metadata' | 'deviceEndpoint' | 'identity'>;

interface MetadataPlace {
  readonly url: string;
  /** The setting or document that named it. */
  readonly field: string;
}

/**
 * Reads metadata at an address that the user configured, where a document can name any issuer. If the user also
 * configured the issuer, the document must name that issuer and be able to speak for it. Otherwise a document that cannot
 * speak for its issuer is identified by its own address, and credentials of that issuer are not used with it.
 */
async function metadataAt(
  { url, issuer }: { readonly url: string; readonly issuer: string | undefined },
  fetch: Fetch,
): DiscoveryResult<ServerDescription> {
  const field = 'authServerMetadataUrl';
  if (!isSafeAddress(url, fetch.homes)) return err({ kind: 'unsafe-address', field });
  const found = await publishedAt(
    { url, field },
    { fetch: (_, init) => fetch(url, init), skipIssuerValidation: true },
  );
  if (!found.ok) return found;
  const { metadata, deviceEndpoint } = found.value;
  if (metadata === undefined) return err({ kind: 'bad-answer', url });
  if (issuer !== undefined && metadata.issuer !== issuer) {
    return err({ kind: 'issuer-mismatch', where: 'client' });
  }
  const stray = strayEndpoint({ metadata, deviceEndpoint }, url);
  if (stray === undefined) return found;
  return issuer === undefined
    ? ok({ ...found.value, identity: url })
    : err({ kind: 'stray-endpoint', field: stray, issuer });
}

type PlainFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

async function publishedAt(
  { url, field }: MetadataPlace,
  { fetch, ...options }: { readonly fetch: PlainFetch; readonly skipIssuerValidation?: true },
): DiscoveryResult<ServerDescription> {
  let lastBody: unknown;
  const recordingFetch: PlainFetch = async (place, init) => {
    const response = await fetch(place, init);
    // For fields that the SDK does not know and drops.
    if (response.ok)
      lastBody = await response
        .clone()
        .json()
        .catch(() => undefined);
    return response;
  };
  try {
    const metadata = await discoverAuthorizationServerMetadata(url, {
      ...options,
      fetchFn: recordingFetch,
    });
    const place = isObject(lastBody) ? lastBody['device_authorization_endpoint'] : undefined;
    return ok({ metadata, deviceEndpoint: typeof place === 'string' ? place : undefined });
  } catch (thrown) {
    return err(authorizationProblem(thrown, url, field));
  }
}

/** https://www.rfc-editor.org/rfc/rfc8707: without a fragment; MCP prefers no slash at the end. */
function canonicalResource(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = '';
  return url.search === '' ? url.href.replace(/\/$/, '') : url.href;
}
