// Converts a schema without references into keywords that Zod interprets as JSON Schema does, or more widely. Zod throws
// on some keywords and interprets others more narrowly: lengths in UTF-16 units, patterns without the Unicode flag,
// formats of its own, `oneOf` between choices that became wider, names that every object inherits. Pure.

import { isObject } from '@plugboard/base';
import { mapValues, type Schema, setOwn } from './subschemas.ts';
import { isTamePattern, MAX_MATCHED_LENGTH } from './tame-pattern.ts';
import { inWords, withWords } from './words.ts';

/** Keywords that mean the same to Zod. */
const SAME = [
  ...['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['description', 'title'],
];
/** Also put into the description: Zod checks them differently, or not at all. */
const DESCRIBED = ['format', 'pattern'] as const;

/** `around`: the type of the enclosing schema, if it has one. */
export function inZodWords(schema: Schema, around?: unknown): Schema {
  const words: Record<string, unknown> = {};
  for (const key of SAME) if (schema[key] !== undefined) words[key] = schema[key];
  if (hasAny(schema, OBJECT_WORDS) && around === 'object') words['type'] ??= 'object';
  const { type } = words;
  Object.assign(
    words,
    valuesOf(schema),
    textWords(schema),
    objectWords(schema),
    listWords(schema),
    choices(schema, type),
  );
  if (isOrHas(type, 'integer')) asWholeNumber(words);
  return withWords(
    words,
    DESCRIBED.flatMap((key) =>
      typeof schema[key] === 'string' ? [inWords(key, schema[key])] : [],
    ),
  );
}

const OBJECT_WORDS = ['properties', 'required', 'additionalProperties'] as const;

function hasAny(schema: Schema, keys: readonly string[]): boolean {
  return keys.some((key) => schema[key] !== undefined);
}

function isOrHas(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

/** Zod accepts safe integers only; JSON Schema accepts any. */
function asWholeNumber(words: Record<string, unknown>): void {
  const { type, multipleOf } = words;
  if (Array.isArray(type)) {
    // `multipleOf` does not affect other types.
    const others = type.filter((name) => name !== 'integer' && name !== 'number');
    words['type'] = [...(others as readonly unknown[]), 'number'];
    if (type.includes('number')) return;
  } else words['type'] = 'number';
  if (!Number.isInteger(multipleOf)) words['multipleOf'] = 1;
}

/** Only primitive values: Zod compares by identity. */
function valuesOf({ enum: values, const: only }: Schema): Schema {
  if (only !== undefined) return isPlain(only) ? { enum: [only] } : {};
  return Array.isArray(values) && values.every(isPlain) ? { enum: values as unknown[] } : {};
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function textWords({ maxLength, pattern }: Schema): Schema {
  return {
    // One character may be two UTF-16 units.
    ...(typeof maxLength === 'number' ? { maxLength: maxLength * 2 } : {}),
    ...(typeof pattern === 'string' ? safePattern(pattern) : {}),
  };
}

/**
 * Also accepts texts that are too long, which could take long to match, and texts with a character of two units, which
 * match differently without the Unicode flag.
 */
function safePattern(pattern: string): Schema {
  if (!isTamePattern(pattern) || /\\[pPu]/.test(pattern) || !compiles(pattern)) return {};
  return { pattern: `^[^]{${MAX_MATCHED_LENGTH + 1}}|[\\ud800-\\udfff]|(?:${pattern})` };
}

function compiles(pattern: string): boolean {
  try {
    return [new RegExp(pattern, 'u'), new RegExp(pattern)].length > 0;
  } catch {
    // Not a valid expression, so no text can be checked against it.
    return false;
  }
}

function objectWords(schema: Schema): Schema {
  const { properties, required, additionalProperties: others, patternProperties } = schema;
  const stated = isObject(properties) ? properties : {};
  const known = mapValues(stated, (each) => child(each));
  const asked = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  // Zod would find them in every value, and copy them.
  const inherited = [...Object.keys(stated), ...asked].filter((name) => name in Object.prototype);
  for (const name of inherited) delete known[name];
  const names = asked.filter((name) => !inherited.includes(name));
  // Zod requires only properties that it knows.
  for (const name of names) if (!Object.hasOwn(known, name)) setOwn(known, name, {});
  const isClosed = (others === false || isObject(others)) && inherited.length === 0;
  return {
    ...(Object.keys(known).length > 0 ? { properties: known } : {}),
    ...(names.length > 0 ? { required: names } : {}),
    // With patterns for names, it is not known which names are additional.
    ...(isClosed && patternProperties === undefined ? { additionalProperties: child(others) } : {}),
  };
}

function listWords({ type, items, prefixItems }: Schema): Schema {
  const first = Array.isArray(prefixItems)
    ? { prefixItems: prefixItems.map((each: unknown) => child(each)) }
    : {};
  if (items !== undefined) return { ...first, items: child(items) };
  // Zod checks the number of items only if `items` is given.
  return isOrHas(type, 'array') ? { ...first, items: true } : first;
}

function choices({ anyOf, oneOf, allOf }: Schema, ownType: unknown): Schema {
  const type = ownType ?? typeIn(allOf);
  const within = (list: unknown): readonly unknown[] =>
    Array.isArray(list) ? list.map((each: unknown) => child(each, type)) : [];
  const either = [anyOf, oneOf].map(within).filter((list) => list.length > 0);
  const all = within(allOf);
  const [only, ...more] = either;
  if (only === undefined) return all.length > 0 ? { allOf: all } : {};
  if (more.length === 0 && all.length === 0) return { anyOf: only };
  return { allOf: [...either.map((list) => ({ anyOf: list })), ...all] };
}

/** A type that one of them requires applies to all. */
function typeIn(allOf: unknown): unknown {
  return Array.isArray(allOf)
    ? allOf.filter(isObject).find(({ type }) => type)?.['type']
    : undefined;
}

/** `true` and `false` are schemas, too. */
function child(schema: unknown, around?: unknown): unknown {
  if (isObject(schema)) return inZodWords(schema, around);
  return schema !== false;
}
