// Traverses a JSON Schema by the keywords that contain schemas. Schemas come from servers, so any value may be anywhere;
// what is not a schema stays as it is. Pure.

import { isObject } from '@plugboard/base';

/** A schema as a server sent it, which may be invalid. */
export type Schema = Readonly<Record<string, unknown>>;

/** Keywords whose value is one schema. */
const SINGLE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'contentSchema',
] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const NAMED = ['properties', 'patternProperties', '$defs', 'dependentSchemas'] as const;

/** The same schema with each schema directly inside it replaced. */
export function mapSubschemas(
  schema: Schema,
  change: (inner: Schema) => unknown,
): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...schema };
  for (const key of SINGLE) {
    const inner = schema[key];
    if (isObject(inner)) changed[key] = change(inner);
  }
  for (const key of LISTS) {
    const inner = schema[key];
    if (Array.isArray(inner)) changed[key] = inner.map((item) => eachOf(item, change));
  }
  for (const key of NAMED) {
    const inner = schema[key];
    if (isObject(inner)) changed[key] = mapValues(inner, (item) => eachOf(item, change));
  }
  return changed;
}

/** A schema may also be `true` or `false`. */
function eachOf(item: unknown, change: (inner: Schema) => unknown): unknown {
  return isObject(item) ? change(item) : item;
}

/** Adds an own property, whatever its name: to assign to `__proto__` would change the prototype. */
export function setOwn(values: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(values, name, {
    ...{ value, enumerable: true, writable: true, configurable: true },
  });
}

/** Only own keys, including one called `__proto__`. */
export function mapValues(
  values: Schema,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, change(value, key)]),
  );
}
