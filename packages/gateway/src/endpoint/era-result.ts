// Converts results between eras: adds the members that the modern era requires and removes those that the legacy era does
// not define. Everything else passes unchanged.

import { isObject, type JsonObject } from '@plugboard/base';
import { type Era, isCacheable } from '@plugboard/host/relay';
import { SERVER_INFO } from '../message/index.ts';

export function resultFor(era: Era, method: string, result: JsonObject): JsonObject {
  if (era === 'legacy') return legacyResult(result);
  const { resultType, ttlMs, cacheScope } = result;
  const mayCache = isCacheable(method);
  const isFresh = !mayCache || (ttlMs !== undefined && cacheScope !== undefined);
  if (resultType !== undefined && isFresh) return result;
  return {
    resultType: 'complete',
    // No lifetime, since the gateway announces changes.
    ...(mayCache ? { ttlMs: 0, cacheScope: 'private' } : {}),
    ...result,
  };
}

/** Returns the result of a legacy server itself. */
function legacyResult(result: JsonObject): JsonObject {
  const { resultType, _meta } = result;
  const hasServerInfo = isObject(_meta) && _meta[SERVER_INFO] !== undefined;
  if (resultType === undefined && !hasServerInfo) return result;
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta: _, ...rest } = result;
  if (!isObject(_meta)) return rest;
  const { [SERVER_INFO]: _info, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}

export function requiresInput(result: JsonObject): boolean {
  return result['resultType'] === 'input_required';
}
