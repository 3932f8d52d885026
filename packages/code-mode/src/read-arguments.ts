// The arguments of a call, from the JSON text that came out of the engine.

import { err, isObject, type JsonObject, ok, parseJson, type Result } from '@plugboard/base';

/** So that code of the host that walks through a value of a script needs no bound of its own. */
export const MOST_DEPTH = 100;
/** An own key of this name is harmless until the object is copied with `Object.assign` or an assignment. */
const PROTOTYPE = '__proto__';

export function readArguments(text: string, maxLength: number): Result<JsonObject, string> {
  const parsed = parseJson(text, { maxLength, maxDepth: MOST_DEPTH });
  if (!parsed.ok) return err(`the arguments are ${parsed.error.kind}`);
  if (!isObject(parsed.value)) return err('a tool takes one object with its arguments');
  if (text.includes(PROTOTYPE) && hasPrototypeKey(parsed.value)) {
    return err(`no argument may be called ${PROTOTYPE}`);
  }
  return ok(parsed.value);
}

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, PROTOTYPE) || Object.values(value).some(hasPrototypeKey);
}
