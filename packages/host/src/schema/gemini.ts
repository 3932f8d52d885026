// Converts a schema into the few keywords that Gemini's function declarations support: no references, no constants, one
// type at a time, choices only as `anyOf`. Everything else is put into the description. Pure.

import { isObject } from '@plugboard/base';
import { mapSubschemas, type Schema } from './subschemas.ts';
import { inWords, withWords } from './words.ts';

const KNOWN = new Set(
  (
    'type format title description nullable enum items properties required minimum maximum ' +
    'minItems maxItems minLength maxLength minProperties maxProperties pattern anyOf default'
  ).split(' '),
);
/** Dropped without a note, since they do not help a model to fill in the arguments. */
const SILENT = new Set([
  '$defs',
  '$comment',
  'examples',
  'additionalProperties',
  'readOnly',
  'writeOnly',
]);
const FORMATS: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set(['enum', 'date-time']),
  integer: new Set(['int32', 'int64']),
  number: new Set(['float', 'double']),
};

export function forGemini(schema: Schema): Schema {
  const plain = inPlainWords(schema);
  const known: Record<string, unknown> = {};
  const lost: string[] = [];
  for (const [key, value] of Object.entries(plain)) {
    if (KNOWN.has(key)) known[key] = value;
    else if (!SILENT.has(key) && !isObject(value)) lost.push(inWords(key, value));
  }
  const { type, format } = known;
  if (typeof format === 'string' && FORMATS[String(type)]?.has(format) !== true) {
    delete known['format'];
    lost.push(inWords('format', format));
  }
  if (Array.isArray(known['enum']) && !known['enum'].every((item) => typeof item === 'string')) {
    lost.push(inWords('one of', known['enum']));
    delete known['enum'];
  }
  if (known['enum'] !== undefined && type === undefined) known['type'] = 'string';
  if (known['type'] === 'array' && !isObject(known['items'])) known['items'] = { type: 'string' };
  if (Array.isArray(known['required'])) {
    const names = isObject(known['properties']) ? Object.keys(known['properties']) : [];
    const required = known['required'].filter((name) => names.includes(String(name)));
    if (required.length > 0) known['required'] = required;
    else delete known['required'];
  }
  return mapSubschemas(withWords(known, lost), forGemini);
}

/** Replaces unsupported keywords by supported ones, if there are any. */
function inPlainWords(schema: Schema): Schema {
  const {
    const: only,
    oneOf,
    allOf,
    prefixItems,
    exclusiveMinimum,
    exclusiveMaximum,
    ...rest
  } = schema;
  let plain: Record<string, unknown> = { ...rest };
  if (only !== undefined) plain['enum'] ??= [only];
  if (Array.isArray(oneOf)) plain['anyOf'] ??= oneOf;
  if (Array.isArray(allOf)) plain = allOf.filter(isObject).reduce(overlaid, plain);
  if (Array.isArray(prefixItems) && !isObject(plain['items'])) {
    plain['items'] = { anyOf: prefixItems };
  }
  if (typeof exclusiveMinimum === 'number') plain['minimum'] ??= exclusiveMinimum;
  if (typeof exclusiveMaximum === 'number') plain['maximum'] ??= exclusiveMaximum;
  if (Array.isArray(plain['enum']) && plain['enum'].includes(null)) {
    plain['enum'] = plain['enum'].filter((item) => item !== null);
    plain['nullable'] = true;
  }
  return withOneType(withoutNullBranch(plain));
}

function overlaid(base: Schema, part: Schema): Record<string, unknown> {
  const properties = { ...objectAt(base, 'properties'), ...objectAt(part, 'properties') };
  const required = [...listAt(base, 'required'), ...listAt(part, 'required')];
  return {
    ...part,
    ...base,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}

/** Many servers write `anyOf: [X, null]` for an optional X. */
function withoutNullBranch(schema: Schema): Record<string, unknown> {
  const { anyOf: _, ...rest } = schema;
  const anyOf = listAt(schema, 'anyOf');
  if (anyOf.length === 0) return { ...schema };
  const others = anyOf.filter((branch) => !isObject(branch) || branch['type'] !== 'null');
  const nullable = others.length < anyOf.length ? { nullable: true } : {};
  const [only] = others;
  if (others.length === 1 && isObject(only)) return { ...only, ...rest, ...nullable };
  return others.length === 0 ? { ...rest, ...nullable } : { ...rest, anyOf: others, ...nullable };
}

function withOneType(schema: Schema): Schema {
  const { type: _, ...rest } = schema;
  const types = listAt(schema, 'type');
  if (types.length === 0) return schema;
  const others = types.filter((name) => name !== 'null');
  const nullable = others.length < types.length ? { nullable: true } : {};
  const [only] = others;
  if (others.length === 1) return { ...rest, type: only, ...nullable };
  const { anyOf, properties, items, required, ...common } = rest;
  if (anyOf !== undefined || others.length === 0) return { ...rest, ...nullable };
  const branches = others.map((name) => ({
    type: name,
    ...(name === 'object' ? { properties, required } : {}),
    ...(name === 'array' ? { items } : {}),
  }));
  return { ...common, anyOf: branches, ...nullable };
}

function objectAt(schema: Schema, key: string): Schema {
  const value = schema[key];
  return isObject(value) ? value : {};
}

function listAt(schema: Schema, key: string): readonly unknown[] {
  const value = schema[key];
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
