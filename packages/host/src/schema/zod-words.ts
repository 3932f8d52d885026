// A schema in those words that Zod reads as JSON Schema means them, or wider. Zod throws at some keywords
// and reads others more narrowly: lengths in UTF-16 units, expressions without the Unicode flag, formats
// of its own, `oneOf` between choices that became wider. References are gone before. Pure.

import { isObject } from '@plugboard/base';
import { mapValues, type Schema, setOwn } from './subschemas.ts';
import { isTamePattern, MAX_MATCHED_LENGTH } from './tame-pattern.ts';
import { inWords, withWords } from './words.ts';

/** Mean the same to Zod. */
const SAME = [
  ...['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['description', 'title'],
];
/** Said in the description where they cannot be checked, or not as they are written. */
const SPOKEN = ['format', 'pattern'] as const;

/** `around` is the type of the schema that this one is a part of, where it has one. */
export function inZodWords(schema: Schema, around?: unknown): Schema {
  const words: Record<string, unknown> = {};
  for (const key of SAME) if (schema[key] !== undefined) words[key] = schema[key];
  if (saysOf(schema, OBJECT_WORDS) && around === 'object') words['type'] ??= 'object';
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
    SPOKEN.flatMap((key) => (typeof schema[key] === 'string' ? [inWords(key, schema[key])] : [])),
  );
}

const OBJECT_WORDS = ['properties', 'required', 'additionalProperties'] as const;

function saysOf(schema: Schema, keys: readonly string[]): boolean {
  return keys.some((key) => schema[key] !== undefined);
}

function isOrHas(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

/** Zod's integers end where they are no longer exact; those of JSON Schema go on. */
function asWholeNumber(words: Record<string, unknown>): void {
  const { type, multipleOf } = words;
  if (Array.isArray(type)) {
    // Beside numbers of any kind, or other types, which have nothing to do with it.
    const others = type.filter((name) => name !== 'integer' && name !== 'number');
    words['type'] = [...(others as readonly unknown[]), 'number'];
    if (type.includes('number')) return;
  } else words['type'] = 'number';
  if (!Number.isInteger(multipleOf)) words['multipleOf'] = 1;
}

/** Zod compares by identity, so only what has none of its own. */
function valuesOf({ enum: values, const: only }: Schema): Schema {
  if (only !== undefined) return isPlain(only) ? { enum: [only] } : {};
  return Array.isArray(values) && values.every(isPlain) ? { enum: values as unknown[] } : {};
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function textWords({ maxLength, pattern }: Schema): Schema {
  return {
    // What counts as one may be two units.
    ...(typeof maxLength === 'number' ? { maxLength: maxLength * 2 } : {}),
    ...(typeof pattern === 'string' ? safely(pattern) : {}),
  };
}

/**
 * An expression that takes what the given one would take long for, and what reads otherwise without the
 * Unicode flag: texts that are too long, or hold a character of two units.
 */
function safely(pattern: string): Schema {
  if (!isTamePattern(pattern) || /\\[pPu]/.test(pattern) || !compiles(pattern)) return {};
  return { pattern: `^[^]{${MAX_MATCHED_LENGTH + 1}}|[\\ud800-\\udfff]|(?:${pattern})` };
}

function compiles(pattern: string): boolean {
  try {
    return [new RegExp(pattern, 'u'), new RegExp(pattern)].length > 0;
  } catch {
    // Not an expression: nothing can be held against it.
    return false;
  }
}

function objectWords(schema: Schema): Schema {
  const { properties, required, additionalProperties: others, patternProperties } = schema;
  const known = isObject(properties) ? mapValues(properties, (each) => child(each)) : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  // Zod asks only for what it knows.
  for (const name of names) if (!Object.hasOwn(known, name)) setOwn(known, name, {});
  const isClosed = others === false || isObject(others);
  return {
    ...(Object.keys(known).length > 0 ? { properties: known } : {}),
    ...(names.length > 0 ? { required: names } : {}),
    // Which names a pattern takes is not to be found out with its expression.
    ...(isClosed && patternProperties === undefined ? { additionalProperties: child(others) } : {}),
  };
}

function listWords({ type, items, prefixItems }: Schema): Schema {
  const first = Array.isArray(prefixItems)
    ? { prefixItems: prefixItems.map((each: unknown) => child(each)) }
    : {};
  if (items !== undefined) return { ...first, items: child(items) };
  // Zod counts the items of a list only where it is told of what.
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

/** The type that one of them asks for is the type of all. */
function typeIn(allOf: unknown): unknown {
  return Array.isArray(allOf)
    ? allOf.filter(isObject).find(({ type }) => type)?.['type']
    : undefined;
}

/** Also `true` and `false` are schemas. */
function child(schema: unknown, around?: unknown): unknown {
  if (isObject(schema)) return inZodWords(schema, around);
  return schema !== false;
}
