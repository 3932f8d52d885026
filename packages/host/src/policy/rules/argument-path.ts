// A path to a value inside the arguments of a call: `owner.name`, `paths.*` for each item, or a JSON
// pointer. Finds own members of objects only, never inherited ones.

import { isObject, type Json, pointerKeys } from '@plugboard/base';

/** `*` means every item of a list or every field of an object. */
export type ArgumentPath = readonly string[];

const EACH = '*';

export function parseArgumentPath(path: string): ArgumentPath {
  return path.startsWith('/') ? pointerKeys(path) : path.split('.');
}

/** Whether a path leads to one value at most. */
export function isSingle(path: ArgumentPath): boolean {
  return !path.includes(EACH);
}

/** The value that a single path leads to, if there is one. */
export function valueAt(value: Json, path: ArgumentPath): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (found === undefined) return undefined;
    found = childOf(found, step);
  }
  return found;
}

/** Every value that the path leads to; `undefined` for each missing one. */
export function valuesAt(value: Json, path: ArgumentPath): readonly (Json | undefined)[] {
  let found: readonly (Json | undefined)[] = [value];
  for (const step of path) {
    found = step === EACH ? found.flatMap(each) : found.map((one) => childOf(one, step));
  }
  return found;
}

function each(value: Json | undefined): readonly (Json | undefined)[] {
  const items = Array.isArray(value) ? (value as readonly Json[]) : childValues(value);
  return items.length === 0 ? [undefined] : items;
}

function childValues(value: Json | undefined): readonly Json[] {
  return isObject(value) ? Object.values(value) : [];
}

function childOf(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return /^\d{1,9}$/.test(step) ? items[Number(step)] : undefined;
  }
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
