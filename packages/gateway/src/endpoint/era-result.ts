// Converts results between eras: adds what one era requires and removes what the other does not know. Everything else
// passes unchanged.

import { isObject, type JsonObject } from '@plugboard/base';
import type { Era } from '@plugboard/host/relay';
import { SERVER_INFO } from '../message/index.ts';

/** A modern client may keep them for as long as this says: not at all, since the gateway announces changes. */
const KEPT: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
  'skills/list',
]);

export function resultFor(era: Era, method: string, result: JsonObject): JsonObject {
  if (era === 'legacy') return legacyResult(result);
  const { resultType, ttlMs, cacheScope } = result;
  const isKept = KEPT.has(method);
  const isFresh = !isKept || (ttlMs !== undefined && cacheScope !== undefined);
  if (resultType !== undefined && isFresh) return result;
  return {
    resultType: 'complete',
    ...(isKept ? { ttlMs: 0, cacheScope: 'private' } : {}),
    ...result,
  };
}

/** Itself, where it is of a legacy server. */
function legacyResult(result: JsonObject): JsonObject {
  const { resultType, _meta } = result;
  const isTold = isObject(_meta) && _meta[SERVER_INFO] !== undefined;
  if (resultType === undefined && !isTold) return result;
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta: _, ...rest } = result;
  if (!isObject(_meta)) return rest;
  const { [SERVER_INFO]: _info, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}

export function asksForInput(result: JsonObject): boolean {
  return result['resultType'] === 'input_required';
}
