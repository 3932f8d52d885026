// Results across eras: what the one requires and the other does not know. Everything else passes as it came.

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
  return {
    resultType: 'complete',
    ...(KEPT.has(method) ? { ttlMs: 0, cacheScope: 'private' } : {}),
    ...result,
  };
}

function legacyResult(result: JsonObject): JsonObject {
  if (result['resultType'] === undefined && !isObject(result['_meta'])) return result;
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta, ...rest } = result;
  if (!isObject(_meta)) return rest;
  const { [SERVER_INFO]: _, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}

export function asksForInput(result: JsonObject): boolean {
  return result['resultType'] === 'input_required';
}
