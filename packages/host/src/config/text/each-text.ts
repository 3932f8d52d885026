// Visits every text inside a field, to change or to inspect it. The depth is limited, since a value from a
// program may contain itself. Pure.

import { isObject } from '@plugboard/base';
import type { FieldPath } from './field-path.ts';

/** As deep as `oauth.xaa.clientId`. */
const DEEPEST = 3;

/** Replaces each text inside a value. `path` is the path of the value itself. */
export function eachText<T>(
  value: T,
  path: FieldPath,
  change: (text: string, ...path: FieldPath) => string,
): T {
  const within = (inner: unknown, key: string | number): unknown =>
    eachText(inner, [...path, key], change);
  const changed =
    typeof value === 'string'
      ? change(value, ...path)
      : path.length >= DEEPEST
        ? value
        : Array.isArray(value)
          ? value.map(within)
          : isObject(value)
            ? Object.fromEntries(
                Object.entries(value).map(([key, item]) => [key, within(item, key)]),
              )
            : value;
  // Only texts changed, and they became texts.
  return changed as T;
}

/** Whether any text inside a value matches. Every command checks every entry, so this builds no paths. */
export function someText(value: unknown, matches: (text: string) => boolean, depth = 1): boolean {
  if (typeof value === 'string') return matches(value);
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return false;
  return Object.values(value).some((item) => someText(item, matches, depth + 1));
}

export function textsIn(
  value: unknown,
  path: FieldPath,
): readonly (readonly [path: FieldPath, text: string])[] {
  const found: [FieldPath, string][] = [];
  eachText(value, path, (text, ...at) => {
    found.push([at, text]);
    return text;
  });
  return found;
}
