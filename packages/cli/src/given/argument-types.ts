// Which JSON types a tool's schema lets an argument have. Looks into the alternatives and local
// references that schema generators write; what it does not understand it leaves unsaid.

import { isObject, type Json, type JsonObject } from '@plugboard/base';

/** Deeper than any honest schema; a reference may lead back to itself. */
const MAX_DEPTH = 8;

/** None if the schema does not say. */
export function typesOfArgument(schema: JsonObject, key: string): readonly string[] {
  const { properties } = schema;
  if (!isObject(properties) || !Object.hasOwn(properties, key)) return [];
  return typesOf(properties[key] as Json, schema, 0);
}

function typesOf(node: Json, root: JsonObject, depth: number): readonly string[] {
  if (!isObject(node) || depth > MAX_DEPTH) return [];
  const { type, anyOf, oneOf, $ref: reference } = node;
  if (type !== undefined) return [type].flat().filter((name) => typeof name === 'string');
  if (typeof reference === 'string') return typesOf(lookUp(reference, root), root, depth + 1);
  return [...jsonList(anyOf), ...jsonList(oneOf)].flatMap((alternative) =>
    typesOf(alternative, root, depth + 1),
  );
}

function jsonList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** `#/$defs/Name`, the only form in use for references inside a document. */
function lookUp(reference: string, root: JsonObject): Json {
  const [, holder = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = root[holder];
  if (!isObject(definitions) || !Object.hasOwn(definitions, name)) return null;
  return definitions[name] as Json;
}
