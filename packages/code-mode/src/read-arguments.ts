// Reads the arguments of a call from the JSON text of the engine.

import { err, isObject, type JsonObject, ok, parseJson, type Result } from '@plugboard/base';

/** Bounds values of scripts, so that code of the host can traverse them without a limit of its own. */
export const MOST_DEPTH = 100;
/** An own key of this name becomes harmful when the object is copied with `Object.assign` or an assignment. */
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
