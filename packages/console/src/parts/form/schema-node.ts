// Reads a part of a JSON Schema for a form: follows references, merges `allOf` and checks keywords. The schema comes from a
// server, so every keyword may be anything, references may be circular, and names may be `__proto__`. Patterns are kept as text
// and never run here. Pure.

import { canonicalJson, isObject, type Json, type JsonObject, pointerKeys } from '@plugboard/base';

export type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

export interface SchemaNode {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Without `null`; empty if any type is allowed. */
  readonly types: readonly TypeName[];
  readonly isNullable: boolean;
  /** Whether no value is valid: the schema is `false`, or its parts contradict each other. */
  readonly isImpossible: boolean;
  /** The allowed values, from `enum` or `const`. */
  readonly values: readonly Json[] | undefined;
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
  /** The schema of other properties; `false` if there may be none. */
  readonly additional: Json;
  /** Whether other properties are expected: the schema describes them, or names no properties at all. */
  readonly isOpen: boolean;
  readonly prefixItems: readonly Json[];
  readonly items: Json;
  readonly isUnique: boolean;
  readonly bounds: Bounds;
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly default: Json | undefined;
  readonly example: Json | undefined;
  readonly isDeprecated: boolean;
  /** The variants of `oneOf` and `anyOf`, each merged with the keywords beside it. */
  readonly variants: readonly JsonObject[];
}

export interface Bounds {
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: number | undefined;
  readonly exclusiveMaximum: number | undefined;
  readonly multipleOf: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
}

/** Limits references to references, and `allOf` in `allOf`. Anything deeper is ignored. */
const MOST_HOPS = 64;
const MOST_VARIANTS = 50;
const MOST_NESTED_VARIANTS = 8;
const MOST_VALUES = 1000;
const ANY: JsonObject = {};

/** A schema with its parts that were read. */
export class SchemaDocument {
  readonly root: Json;
  readonly #nodes = new WeakMap<object, SchemaNode>();
  readonly #flat = new WeakMap<object, JsonObject | false>();

  constructor(root: Json | undefined) {
    this.root = root ?? ANY;
  }

  read(schema: Json): SchemaNode {
    if (!isObject(schema)) return schema === false ? IMPOSSIBLE : ANYTHING;
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    const flat = this.#flatten(schema, []);
    const node = flat === false ? IMPOSSIBLE : nodeOf(flat, (one) => this.#flatten(one, []));
    this.#nodes.set(schema, node);
    return node;
  }

  #flatten(schema: Json, trail: readonly object[]): JsonObject | false {
    if (!isObject(schema)) return schema === false ? false : ANY;
    const known = this.#flat.get(schema);
    if (known !== undefined) return known;
    // A circular reference adds nothing.
    if (trail.includes(schema) || trail.length >= MOST_HOPS) return ANY;
    const { $ref: reference, allOf, ...own } = schema;
    const next = [...trail, schema];
    let flat: JsonObject | false = own;
    if (typeof reference === 'string') {
      flat = merge(this.#flatten(this.#resolve(reference), next), flat);
    }
    for (const part of listOf(allOf).slice(0, MOST_HOPS)) {
      flat = merge(flat, this.#flatten(part, next));
    }
    this.#flat.set(schema, flat);
    return flat;
  }

  /** Only within the document: external references are never loaded. */
  #resolve(reference: string): Json {
    if (!reference.startsWith('#')) return ANY;
    const pointer = decoded(reference.slice(1));
    if (pointer === '') return this.root;
    if (!pointer.startsWith('/')) return this.#anchor(pointer);
    let place: Json | undefined = this.root;
    for (const key of pointerKeys(pointer)) {
      place = memberOf(place, key);
      if (place === undefined) return ANY;
    }
    return place;
  }

  #anchor(name: string): Json {
    for (const keyword of ['$defs', 'definitions']) {
      const definitions = memberOf(this.root, keyword);
      if (!isObject(definitions)) continue;
      const found = Object.values(definitions).find(
        (definition) => memberOf(definition, '$anchor') === name,
      );
      if (found !== undefined) return found;
    }
    return ANY;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value))
    return /^\d{1,6}$/.test(key) ? (value as Json[])[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The keywords of combineKeyword schemas, combined so that a value has to match combineKeyword. */
function merge(first: JsonObject | false, second: JsonObject | false): JsonObject | false {
  return first === false || second === false ? false : mergeMembers(first, second, combineKeyword);
}

/** All members of combineKeyword objects. `combine` decides on a key that has two values. */
function mergeMembers(
  first: JsonObject,
  second: JsonObject,
  combine: (key: string, first: Json, second: Json) => Json,
): JsonObject {
  const merged = new Map<string, Json>(Object.entries(first));
  for (const [key, value] of Object.entries(second)) {
    const before = merged.get(key);
    merged.set(key, before === undefined || before === value ? value : combine(key, before, value));
  }
  return Object.fromEntries(merged);
}

const LOWER_BOUNDS: readonly string[] = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const UPPER_BOUNDS: readonly string[] = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

function combineKeyword(key: string, first: Json, second: Json): Json {
  if (typeof first === 'number' && typeof second === 'number') {
    if (LOWER_BOUNDS.includes(key)) return Math.max(first, second);
    if (UPPER_BOUNDS.includes(key)) return Math.min(first, second);
  }
  if (key === 'required') return [...new Set([...listOf(first), ...listOf(second)])];
  if (key === 'type') return commonTypes(typesOf(first), typesOf(second));
  if (key === 'enum') {
    const allowed = new Set(listOf(second).map((value) => canonicalJson(value)));
    return listOf(first).filter((value) => allowed.has(canonicalJson(value)));
  }
  if (key === 'properties' && isObject(first) && isObject(second)) {
    return mergeMembers(first, second, (_key, one, other) => ({ allOf: [one, other] }));
  }
  if (key === 'items') return { allOf: [first, second] };
  if (key === 'additionalProperties') {
    return first === false || second === false ? false : { allOf: [first, second] };
  }
  // Of two lists of variants, the form offers the first. The server checks the other.
  return key === 'oneOf' || key === 'anyOf' ? first : second;
}

const TYPE_NAMES: readonly string[] = [
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
];

function typesOf(type: Json | undefined): readonly TypeName[] {
  const named = typeof type === 'string' ? [type] : listOf(type);
  return TYPE_NAMES.filter((name) => named.includes(name)) as TypeName[];
}

function commonTypes(first: readonly TypeName[], second: readonly TypeName[]): readonly TypeName[] {
  const isIn = (types: readonly TypeName[], type: TypeName): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return (TYPE_NAMES as readonly TypeName[]).filter(
    (type) =>
      isIn(first, type) && isIn(second, type) && (first.includes(type) || second.includes(type)),
  );
}

/** A schema without a type usually implies it by its other keywords. */
function impliedTypes(schema: JsonObject): readonly TypeName[] {
  const has = (...keywords: readonly string[]): boolean =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (has('properties', 'required', 'additionalProperties')) return ['object'];
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems')) return ['array'];
  if (has('format', 'pattern', 'minLength', 'maxLength')) return ['string'];
  return has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')
    ? ['number']
    : [];
}

type Flatten = (schema: Json) => JsonObject | false;

function nodeOf(schema: JsonObject, flatten: Flatten): SchemaNode {
  const found: Variants = { schemas: [], allowsNull: false };
  expand(schema, { flatten, found, depth: 0 });
  const [only] = found.schemas;
  // A single variant, possibly beside `null`, is not a choice.
  const node =
    found.schemas.length === 1 && only !== undefined ? plainNode(only) : plainNode(schema);
  return {
    ...node,
    isNullable: node.isNullable || found.allowsNull,
    isImpossible: node.isImpossible || (found.schemas.length === 0 && !found.allowsNull),
    variants: found.schemas.length > 1 ? found.schemas : [],
  };
}

/** Reads a schema without its variants. */
function plainNode(schema: JsonObject): Omit<SchemaNode, 'variants'> {
  const types = typesIn(schema);
  const values = valuesOf(schema);
  const properties = schema['properties'];
  const hasProperties = isObject(properties) && Object.keys(properties).length > 0;
  const additional = schema['additionalProperties'] ?? true;
  const { items } = schema;
  const examples = listOf(schema['examples']);
  return {
    title: textOf(schema['title'], 200),
    description: textOf(schema['description'], 4000),
    types: types.filter((type) => type !== 'null'),
    isNullable:
      types.includes('null') || schema['nullable'] === true || values?.includes(null) === true,
    isImpossible: values?.length === 0 || isContradiction(schema['type']),
    values: values?.slice(0, MOST_VALUES),
    properties: new Map(isObject(properties) ? Object.entries(properties) : []),
    required: new Set(listOf(schema['required']).filter((name) => typeof name === 'string')),
    additional,
    isOpen:
      additional !== false && (schema['additionalProperties'] !== undefined || !hasProperties),
    prefixItems: listOf(schema['prefixItems'] ?? items),
    items: Array.isArray(items) ? (schema['additionalItems'] ?? true) : (items ?? true),
    isUnique: schema['uniqueItems'] === true,
    bounds: boundsOf(schema),
    format: textOf(schema['format'], 40),
    pattern: textOf(schema['pattern'], 400),
    default: schema['default'],
    example: schema['example'] ?? examples[0],
    isDeprecated: schema['deprecated'] === true,
  };
}

/** Merging two schemas of different types leaves an empty list of types. */
function isContradiction(type: Json | undefined): boolean {
  return Array.isArray(type) && type.length === 0;
}

function typesIn(schema: JsonObject): readonly TypeName[] {
  const given = typesOf(schema['type']);
  const types = given.length === 0 ? impliedTypes(schema) : given;
  return types.includes('number') ? types.filter((type) => type !== 'integer') : types;
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  const fixed = schema['const'];
  if (fixed !== undefined) return [fixed];
  if (schema['type'] === 'null') return [null];
  return Array.isArray(schema['enum']) ? listOf(schema['enum']) : undefined;
}

interface Variants {
  readonly schemas: JsonObject[];
  allowsNull: boolean;
}

interface Expansion {
  readonly flatten: Flatten;
  readonly found: Variants;
  readonly depth: number;
}

/** Flattens the variants of a schema: nested variants, and one for each of several types. */
function expand(schema: JsonObject, expansion: Expansion): void {
  const { flatten, found, depth } = expansion;
  if (found.schemas.length >= MOST_VARIANTS) return;
  const { oneOf, anyOf, ...base } = schema;
  const listed = listOf(oneOf ?? anyOf);
  if (listed.length > 0 && depth < MOST_NESTED_VARIANTS) {
    // A part that only adds constraints which fields cannot show, such as dependent properties, is a variant too.
    for (const part of listed.slice(0, MOST_VARIANTS)) {
      const variant = merge(base, flatten(part));
      if (variant !== false) expand(variant, { flatten, found, depth: depth + 1 });
    }
    return;
  }
  const types = typesIn(base);
  if (types.includes('null') || base['const'] === null) found.allowsNull = true;
  const others = types.filter((type) => type !== 'null');
  if ((types.length > 0 && others.length === 0) || base['const'] === null) return;
  if (others.length > 1 && valuesOf(base) === undefined) {
    found.schemas.push(...others.map((type) => ({ ...base, type })));
  } else found.schemas.push(base);
}

function boundsOf(schema: JsonObject): Bounds {
  const count = (key: string): number | undefined => {
    const value = schema[key];
    return typeof value === 'number' && value >= 0 ? value : undefined;
  };
  const number = (key: string): number | undefined => {
    const value = schema[key];
    return typeof value === 'number' ? value : undefined;
  };
  // In draft 4, these two are booleans that make the other bound exclusive.
  const isOpenBelow = schema['exclusiveMinimum'] === true;
  const isOpenAbove = schema['exclusiveMaximum'] === true;
  return {
    minLength: count('minLength'),
    maxLength: count('maxLength'),
    minimum: isOpenBelow ? undefined : number('minimum'),
    maximum: isOpenAbove ? undefined : number('maximum'),
    exclusiveMinimum: isOpenBelow ? number('minimum') : number('exclusiveMinimum'),
    exclusiveMaximum: isOpenAbove ? number('maximum') : number('exclusiveMaximum'),
    multipleOf: count('multipleOf'),
    minItems: count('minItems'),
    maxItems: count('maxItems'),
  };
}

function textOf(value: Json | undefined, most: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return value.length > most ? `${value.slice(0, most)}…` : value;
}

const ANYTHING: SchemaNode = nodeOf(ANY, () => ANY);
const IMPOSSIBLE: SchemaNode = { ...ANYTHING, isImpossible: true };
