// Every text in a field that has fields of its own: to change them all, or to look at them. No field has
// more than so many levels, and what a program gives may even contain itself. Pure.

import { isObject } from '@plugboard/base';
import type { FieldPath } from './field-path.ts';

/** As deep as `oauth.xaa.clientId`. */
const DEEPEST = 3;

/** The same value with each text replaced; `path` is where the value itself is. */
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
  // Texts became texts, and nothing else became anything.
  return changed as T;
}

/** Whether some text of it is so. Every command asks this of every entry, so no paths are made. */
export function someText(value: unknown, isSo: (text: string) => boolean, depth = 1): boolean {
  if (typeof value === 'string') return isSo(value);
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return false;
  return Object.values(value).some((item) => someText(item, isSo, depth + 1));
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
