// Rewrites a schema as it was meant: with the keywords of the current draft, and without what no draft of JSON Schema
// allows. Servers write `nullable`, `required: true` at a single property, the `definitions` and bounds of old drafts,
// or types that do not exist, and providers refuse the whole tool for it. A correct schema keeps its meaning. Pure.

import { isObject } from '@plugboard/base';
import { mapSubschemas, type Schema } from './subschemas.ts';

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** Deeper, or larger, than any schema that a model could follow. */
const MAX_DEPTH = 64;
const MAX_NODES = 20_000;

export function normalizeSchema(schema: Schema): Schema {
  const seen = { nodes: 0 };
  const { $schema: _, $id: __, ...rest } = tidyNode(schema, 0, seen);
  return rest;
}

function tidyNode(schema: Schema, depth: number, seen: { nodes: number }): Schema {
  seen.nodes += 1;
  if (depth > MAX_DEPTH || seen.nodes > MAX_NODES) return {};
  const modern = withoutNonsense(inModernWords(schema));
  return mapSubschemas(modern, (inner) => tidyNode(inner, depth + 1, seen));
}

function inModernWords(schema: Schema): Schema {
  const { definitions, nullable, ...rest } = schema;
  const modern: Record<string, unknown> = { ...rest };
  if (isObject(definitions)) {
    modern['$defs'] = { ...definitions, ...(isObject(rest['$defs']) ? rest['$defs'] : {}) };
  } else if (definitions !== undefined) modern['definitions'] = definitions;
  if (typeof modern['$ref'] === 'string') {
    modern['$ref'] = modern['$ref'].replace(/^#\/definitions\//, '#/$defs/');
  }
  // Old drafts wrote a tuple as a list of items.
  if (Array.isArray(modern['items'])) {
    modern['prefixItems'] ??= modern['items'];
    delete modern['items'];
    if (modern['additionalItems'] !== undefined) modern['items'] = modern['additionalItems'];
    delete modern['additionalItems'];
  }
  if (nullable === true && typeof modern['type'] === 'string') {
    modern['type'] = [modern['type'], 'null'];
    if (Array.isArray(modern['enum']) && !modern['enum'].includes(null)) {
      modern['enum'] = [...(modern['enum'] as readonly unknown[]), null];
    }
  }
  boundAsNumber(modern, 'exclusiveMinimum', 'minimum');
  boundAsNumber(modern, 'exclusiveMaximum', 'maximum');
  return modern;
}

/** In old drafts, `exclusiveMinimum: true` changed the meaning of `minimum`. */
function boundAsNumber(schema: Record<string, unknown>, exclusive: string, plain: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] && typeof schema[plain] === 'number') {
    schema[exclusive] = schema[plain];
    delete schema[plain];
  } else delete schema[exclusive];
}

function withoutNonsense(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([key, value]) => isSensible(key, value));
  const sensible: Record<string, unknown> = Object.fromEntries(kept);
  for (const key of OBJECTS) {
    if (isObject(sensible[key])) sensible[key] = schemasOnly(unwrapped(sensible[key]));
  }
  const { type } = sensible;
  if (Array.isArray(type)) {
    const known = type.filter((name) => TYPES.has(String(name)));
    if (known.length === 0) delete sensible['type'];
    else sensible['type'] = known.length === 1 ? known[0] : known;
  }
  if (Array.isArray(sensible['required'])) {
    const names = sensible['required'].filter((name) => typeof name === 'string');
    sensible['required'] = [...new Set(names)];
  }
  return sensible;
}

/** Some servers write the whole schema of an object in place of its properties. */
function unwrapped(properties: Schema): Schema {
  const { type, properties: inner } = properties;
  return type === 'object' && isObject(inner) ? inner : properties;
}

function schemasOnly(named: Schema): Schema {
  const kept = Object.entries(named).filter(
    ([, value]) => isObject(value) || typeof value === 'boolean',
  );
  return Object.fromEntries(kept);
}

const OBJECTS = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);
const ARRAYS = new Set(['enum', 'anyOf', 'oneOf', 'allOf', 'prefixItems', 'required']);
const NUMBERS = new Set(
  (
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems ' +
    'maxItems minProperties maxProperties'
  ).split(' '),
);
const TEXTS = new Set(['description', 'title', 'format', 'pattern', '$ref']);

function isSensible(key: string, value: unknown): boolean {
  if (OBJECTS.has(key)) return isObject(value);
  if (ARRAYS.has(key)) return Array.isArray(value) && (key === 'required' || value.length > 0);
  if (NUMBERS.has(key)) return typeof value === 'number';
  if (TEXTS.has(key)) return typeof value === 'string';
  if (key === 'type') return Array.isArray(value) || TYPES.has(String(value));
  if (key === 'items') return isObject(value) || typeof value === 'boolean';
  return value !== undefined;
}
