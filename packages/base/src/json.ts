// Parses untrusted JSON with limits on its size and depth.

import { DepthMeter } from './depth-meter.ts';
import { err, ok, type Result } from './result.ts';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

export interface JsonLimits {
  /** Length of the text in UTF-16 units. */
  readonly maxLength: number;
  readonly maxDepth: number;
}

export type JsonProblem =
  | { readonly kind: 'too-long'; readonly length: number; readonly limit: number }
  | { readonly kind: 'too-deep'; readonly limit: number }
  | { readonly kind: 'invalid'; readonly message: string };

/** Parses JSON no longer and no deeper than allowed. Never throws. */
export function parseJson(text: string, limits: JsonLimits): Result<Json, JsonProblem> {
  if (text.length > limits.maxLength) {
    return err({ kind: 'too-long', length: text.length, limit: limits.maxLength });
  }
  // Each level needs at least one character, so most texts need no check.
  if (text.length > limits.maxDepth && new DepthMeter(limits.maxDepth).isTooDeep(text)) {
    return err({ kind: 'too-deep', limit: limits.maxDepth });
  }
  try {
    return ok(JSON.parse(text) as Json);
  } catch (cause) {
    return err({
      kind: 'invalid',
      message: cause instanceof Error ? cause.message : String(cause),
    });
  }
}

/** True for `{…}`: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same text for equal values, whatever the order of their keys. Undefined fields are left out. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '[' : ','}${canonicalJson(item)}`;
    return text === '' ? '[]' : `${text}]`;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of sortedKeys(fields)) {
    if (fields[key] === undefined) continue;
    text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${canonicalJson(fields[key])}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Most objects are small, and the keys of many are sorted already. */
function sortedKeys(fields: object): readonly string[] {
  const keys = Object.keys(fields);
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key);
  return isSorted ? keys : keys.toSorted();
}

/** The JSON pointer to one field of an object. https://www.rfc-editor.org/rfc/rfc6901#section-3 */
export function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The keys on the way that a JSON pointer describes. */
export function pointerKeys(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
