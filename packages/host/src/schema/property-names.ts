// Replaces property names that a provider refuses by valid ones, and maps arguments back to the real names before a
// call. Valid names stay as they are. Pure.

import { isObject, type JsonObject } from '@plugboard/base';
import { mapSubschemas, type Schema } from './subschemas.ts';

const FIT = /^[a-zA-Z0-9_.-]{1,64}$/;

export interface RenamedSchema {
  readonly schema: Schema;
  /** Maps arguments from the new names to the real ones. */
  readonly restore: (given: JsonObject) => JsonObject;
}

const UNCHANGED = (given: JsonObject): JsonObject => given;

export function withFitNames(schema: Schema): RenamedSchema {
  const real = new Map<string, string>();
  const renamed = rename(schema, real);
  if (real.size === 0) return { schema, restore: UNCHANGED };
  return { schema: renamed, restore: (given) => restored(given, real) as JsonObject };
}

function rename(schema: Schema, real: Map<string, string>): Schema {
  const inner = mapSubschemas(schema, (child) => rename(child, real));
  const { properties, required } = inner;
  if (!isObject(properties)) return inner;
  const names = new Map<string, string>();
  const free = new FreeNames(Object.keys(properties));
  for (const name of Object.keys(properties)) {
    if (!FIT.test(name)) names.set(name, free.like(name));
  }
  if (names.size === 0) return inner;
  for (const [name, fit] of names) real.set(fit, name);
  return {
    ...inner,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [names.get(name) ?? name, value]),
    ),
    ...(Array.isArray(required)
      ? { required: required.map((name) => names.get(String(name)) ?? (name as unknown)) }
      : {}),
  };
}

/** Unused names similar to the real ones. Remembers its last number: a server may list very many names. */
class FreeNames {
  readonly #used: Set<string>;
  readonly #counts = new Map<string, number>();

  constructor(used: readonly string[]) {
    this.#used = new Set(used);
  }

  like(name: string): string {
    const plain = name.replaceAll(/[^a-zA-Z0-9_.-]/g, '_').slice(0, 56) || '_';
    let count = this.#counts.get(plain) ?? 1;
    let free = plain;
    while (this.#used.has(free)) {
      count += 1;
      free = `${plain}_${count}`;
    }
    this.#counts.set(plain, count);
    this.#used.add(free);
    return free;
  }
}

function restored(value: unknown, real: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => restored(item, real));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [real.get(key) ?? key, restored(inner, real)]),
  );
}
