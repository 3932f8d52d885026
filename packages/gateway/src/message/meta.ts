// The `_meta` of requests. Keys that belong to one hop stay on that hop.

import { isObject, type JsonObject } from '@plugboard/base';

export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
export const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

export const MODERN_REVISION = '2026-07-28';
/** What clients may speak, newest first. From servers, the host also accepts 2024-10-07. */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const RESERVED = 'io.modelcontextprotocol/';
/** The reserved keys that may pass through the gateway. */
const FORWARDED = new Set(['io.modelcontextprotocol/related-task']);

export function metaOf(params: JsonObject): JsonObject {
  return isObject(params['_meta']) ? params['_meta'] : {};
}

/** The parameters without reserved keys, with which one end could forge metadata of the other hop. */
export function withoutReserved(params: JsonObject): JsonObject {
  if (!isObject(params['_meta'])) return params;
  const { _meta, ...rest } = params as JsonObject & { readonly _meta: JsonObject };
  const kept = Object.entries(_meta).filter(
    ([key]) => !key.startsWith(RESERVED) || FORWARDED.has(key),
  );
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}
