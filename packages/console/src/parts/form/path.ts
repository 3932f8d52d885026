// Immutable changes of JSON values by path. Keys come from servers and users, so nothing is set by assignment: `__proto__` is a
// key like any other. Pure.

import { isObject, type Json, type JsonObject, pointerTo } from '@plugboard/base';

export type Path = readonly (string | number)[];

/** The JSON pointer of a path, which also identifies the field at it. */
export function pointerOf(path: Path): string {
  return path.map((part) => pointerTo(String(part))).join('');
}

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let place = value;
  for (const part of path) {
    if (Array.isArray(place)) place = (place as readonly Json[])[Number(part)];
    else if (isObject(place) && Object.hasOwn(place, part)) place = place[part];
    else return undefined;
  }
  return place;
}

/** Sets the value at a path, and creates missing objects and lists on the way. */
export function withValue(value: Json | undefined, path: Path, next: Json): Json {
  const [part, ...rest] = path;
  if (part === undefined) return next;
  if (typeof part === 'number') {
    const items = Array.isArray(value) ? (value as readonly Json[]) : [];
    const index = Math.min(part, items.length);
    return [
      ...items.slice(0, index),
      withValue(items[index], rest, next),
      ...items.slice(index + 1),
    ];
  }
  const fields = isObject(value) ? value : {};
  const before = Object.hasOwn(fields, part) ? fields[part] : undefined;
  return { ...fields, [part]: withValue(before, rest, next) };
}

/** Removes the property or item at a path. */
export function withoutValue(value: Json | undefined, path: Path): Json | undefined {
  const parent = path.slice(0, -1);
  const last = path.at(-1);
  if (last === undefined) return undefined;
  const place = valueAt(value, parent);
  if (value === undefined || valueAt(value, path) === undefined) return value;
  const rest: Json = Array.isArray(place)
    ? place.filter((_, index) => index !== last)
    : Object.fromEntries(Object.entries(place as JsonObject).filter(([key]) => key !== last));
  return withValue(value, parent, rest);
}

/** Moves an item of a list. */
export function withMoved(value: Json | undefined, path: Path, to: number): Json | undefined {
  const parent = path.slice(0, -1);
  const list = valueAt(value, parent);
  const from = path.at(-1);
  if (!Array.isArray(list) || typeof from !== 'number') return value;
  const item = (list as readonly Json[])[from];
  if (item === undefined || to < 0 || to >= list.length) return value;
  return withValue(
    value,
    parent,
    list.toSpliced(from, 1).toSpliced(to, 0, item) as readonly Json[],
  );
}

/** Renames a property in place. Changes nothing if the name is taken. */
export function withRenamed(value: Json | undefined, path: Path, name: string): Json | undefined {
  const parent = path.slice(0, -1);
  const fields = valueAt(value, parent);
  const last = path.at(-1);
  if (!isObject(fields) || Object.hasOwn(fields, name)) return value;
  const entries = Object.entries(fields);
  return withValue(
    value,
    parent,
    Object.fromEntries(entries.map(([key, one]) => [key === last ? name : key, one])),
  );
}
