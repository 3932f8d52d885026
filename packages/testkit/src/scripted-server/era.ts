// Finds the era of a request, and whether this server supports it. Pure.

import {
  type IncomingRequest,
  INVALID_PARAMS,
  isJsonObject,
  objectOf,
  type RpcError,
  UNSUPPORTED_VERSION,
} from './json-rpc.ts';
import type { CommonScript, Era } from './script.ts';

export const MODERN_VERSION = '2026-07-28';
export const LEGACY_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

export type EraVerdict =
  | { readonly kind: Era }
  | { readonly kind: 'refused'; readonly error: RpcError };

export function classifyEra(request: IncomingRequest, script: CommonScript): EraVerdict {
  const eras = script.eras ?? ['legacy', 'modern'];
  if (request.method === 'initialize') {
    return eras.includes('legacy')
      ? { kind: 'legacy' }
      : unsupported(request.params['protocolVersion']);
  }
  const meta = objectOf(request.params['_meta']);
  const version = meta[VERSION_KEY];
  if (version !== undefined && eras.includes('modern')) {
    if (version !== MODERN_VERSION) return unsupported(version);
    return isJsonObject(meta[CAPABILITIES_KEY]) ? { kind: 'modern' } : missing(CAPABILITIES_KEY);
  }
  // A legacy server ignores these keys.
  return eras.includes('legacy') ? { kind: 'legacy' } : missing(VERSION_KEY);
}

function unsupported(requested: unknown): EraVerdict {
  const error = {
    code: UNSUPPORTED_VERSION,
    message: 'Unsupported protocol version',
    data: { supported: [MODERN_VERSION], requested: String(requested) },
  };
  return { kind: 'refused', error };
}

function missing(key: string): EraVerdict {
  return {
    kind: 'refused',
    error: { code: INVALID_PARAMS, message: `Missing or invalid _meta key: ${key}` },
  };
}
