// Finds the JSON types that a tool's schema allows for an argument. Follows the alternatives and local references that
// schema generators write, and ignores anything else.

import { isObject, type Json, type JsonObject } from '@plugboard/base';

/** Deeper than any real schema. Ends references that lead back to themselves. */
const MAX_DEPTH = 8;

/** Empty if the schema states no type. */
export function typesOfArgument(schema: JsonObject, key: string): readonly string[] {
  const { properties } = schema;
  if (!isObject(properties) || !Object.hasOwn(properties, key)) return [];
  return typesOf(properties[key] as Json, schema, 0);
}

function typesOf(node: Json, root: JsonObject, depth: number): readonly string[] {
  if (!isObject(node) || depth > MAX_DEPTH) return [];
  const { type, anyOf, oneOf, $ref: reference } = node;
  if (type !== undefined) return [type].flat().filter((name) => typeof name === 'string');
  if (typeof reference === 'string')
    return typesOf(resolveReference(reference, root), root, depth + 1);
  return [...jsonList(anyOf), ...jsonList(oneOf)].flatMap((alternative) =>
    typesOf(alternative, root, depth + 1),
  );
}

function jsonList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Supports `#/$defs/Name`, the usual form of local references. */
function resolveReference(reference: string, root: JsonObject): Json {
  const [, holder = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = root[holder];
  if (!isObject(definitions) || !Object.hasOwn(definitions, name)) return null;
  return definitions[name] as Json;
}
