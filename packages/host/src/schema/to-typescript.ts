// Converts a JSON Schema into TypeScript types, for a compiler. The types accept every value that the schema accepts;
// what TypeScript cannot express is left out, and recursive schemas get names. Schemas come from servers: none of their
// text can become code, and all sizes are bounded. Pure.

import { isObject, type JsonObject } from '@plugboard/base';
import { lookUp } from './references.ts';
import { normalizeSchema } from './normalize-schema.ts';
import type { Schema } from './subschemas.ts';

/** More than a person would write; beyond it, everything is `unknown`. */
const MOST_TYPES = 5000;
const LONGEST_COMMENT = 1000;

export interface TypeScriptTypes {
  /** The type of the schema, and those that it refers to, by name. */
  readonly types: ReadonlyMap<string, string>;
  /** Whether an empty object may fit. */
  readonly takesNothing: boolean;
}

/** `nameFor` turns a proposed name into a unique one. */
export function toTypeScript(
  given: JsonObject,
  name: string,
  nameFor: (proposal: string) => string,
): TypeScriptTypes {
  const schema = normalizeSchema(given);
  const writing: Writing = { schema, nameFor, name, names: new Map([['#', name]]), written: 0 };
  const types = new Map([[name, typeAt(schema, { writing, within: ['#'] })]]);
  for (const [reference, called] of writing.names) {
    const target = lookUp(schema, reference);
    if (!types.has(called)) types.set(called, typeAt(target, { writing, within: [reference] }));
  }
  return { types, takesNothing: takesNothing(schema) };
}

interface Writing {
  readonly schema: Schema;
  readonly name: string;
  readonly nameFor: (proposal: string) => string;
  /** The names of references; grows while types are written. */
  readonly names: Map<string, string>;
  written: number;
}

interface TypePlace {
  readonly writing: Writing;
  /**
   * The references that led here with no object or list around them. There a type cannot be named in its own
   * definition.
   */
  readonly within: readonly string[];
}

function takesNothing({ required, anyOf, oneOf, allOf, $ref }: Schema): boolean {
  const isOpen = [anyOf, oneOf, allOf, $ref].every((each) => each === undefined);
  return isOpen && (!Array.isArray(required) || required.length === 0);
}

function typeAt(schema: unknown, place: TypePlace): string {
  const { writing } = place;
  writing.written += 1;
  if (schema === false) return 'never';
  if (!isObject(schema) || writing.written > MOST_TYPES) return 'unknown';
  if ('const' in schema) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return unionOf(schema['enum'].map(literal));
  // All of these apply together.
  const { $ref, anyOf, oneOf, allOf } = schema;
  const own = ownType(schema, place);
  const branches = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.map((each) => typeAt(each, place)) : [];
  return intersectionOf([
    ...(typeof $ref === 'string' ? [referenceType($ref, place)] : []),
    own,
    ...[anyOf, oneOf].map((each) => (Array.isArray(each) ? unionOf(branches(each)) : 'unknown')),
    ...branches(allOf),
  ]);
}

function ownType(schema: Schema, place: TypePlace): string {
  const { type } = schema;
  if (Array.isArray(type)) return unionOf(type.map((each) => typeOf(each, schema, place)));
  if (type !== undefined) return typeOf(type, schema, place);
  return isObject(schema['properties']) ? objectType(schema, place) : 'unknown';
}

function typeOf(type: unknown, schema: Schema, place: TypePlace): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return `(${itemType(schema, { ...place, within: [] })})[]`;
    case 'object':
      return objectType(schema, place);
    default:
      return 'unknown';
  }
}

/** The type of any item, whatever its position. */
function itemType({ items, prefixItems }: Schema, place: TypePlace): string {
  const first = Array.isArray(prefixItems) ? prefixItems.map((each) => typeAt(each, place)) : [];
  return unionOf([...first, typeAt(items ?? {}, place)]);
}

function objectType(schema: Schema, { writing }: TypePlace): string {
  const inner = { writing, within: [] };
  const { properties, required, additionalProperties: others, patternProperties } = schema;
  const known = isObject(properties) ? Object.entries(properties) : [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const names = new Set(known.map(([name]) => name));
  const lines = [
    ...known.map(([name, of]) => {
      const mark = needed.has(name) ? '' : '?';
      return `${commentOf(of)}${propertyKey(name)}${mark}: ${typeAt(of, inner)};`;
    }),
    ...[...needed]
      .filter((name): name is string => typeof name === 'string' && !names.has(name))
      .map((name) => `${propertyKey(name)}: unknown;`),
  ];
  const isOpen = others === true || isObject(others) || isObject(patternProperties);
  if (lines.length === 0) {
    const value =
      isObject(others) && !isObject(patternProperties) ? typeAt(others, inner) : 'unknown';
    return `{ [name: string]: ${others === false && !isOpen ? 'never' : value} }`;
  }
  // A narrower index signature would have to fit the known properties as well.
  const all = isOpen ? [...lines, '[name: string]: unknown;'] : lines;
  return `{\n${all.join('\n').replaceAll(/^/gm, '  ')}\n}`;
}

/** By name inside an object or a list, and in full elsewhere. */
function referenceType(reference: string, { writing, within }: TypePlace): string {
  const target = lookUp(writing.schema, reference);
  if (target === undefined) return 'unknown';
  if (within.length > 0) {
    if (within.includes(reference)) return 'unknown';
    return typeAt(target, { writing, within: [...within, reference] });
  }
  const known = writing.names.get(reference);
  if (known !== undefined) return known;
  const name = writing.nameFor(`${writing.name}${inPascalCase(reference.split('/').at(-1) ?? '')}`);
  writing.names.set(reference, name);
  return name;
}

function unionOf(types: readonly string[]): string {
  const different = [...new Set(types)].filter((type) => type !== 'never');
  if (different.includes('unknown')) return 'unknown';
  return different.length === 0 ? 'never' : different.map(inParentheses).join(' | ');
}

function intersectionOf(types: readonly string[]): string {
  const different = [...new Set(types)].filter((type) => type !== 'unknown');
  if (different.length <= 1) return different[0] ?? 'unknown';
  return different.map((type) => `(${type})`).join(' & ');
}

function inParentheses(type: string): string {
  return type.includes(' & ') ? `(${type})` : type;
}

/** The type of one value; for a list or an object, only its kind. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return 'unknown[]';
  return isObject(value) ? '{ [name: string]: unknown }' : stringLiteral(value);
}

/** Escapes invisible characters and line ends. */
export function stringLiteral(value: unknown): string {
  return (JSON.stringify(value) ?? 'unknown').replaceAll(
    UNSEEN,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}

/** A name for a type or a part of one: letters and digits, and a letter first. */
export function inPascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('');
  return /^\d/.test(joined) ? `_${joined}` : joined;
}

function commentOf(schema: unknown): string {
  if (!isObject(schema)) return '';
  const { description, default: given } = schema;
  const text = typeof description === 'string' ? description : '';
  return docComment(given === undefined ? text : `${text} Default: ${JSON.stringify(given) ?? ''}`);
}

/** A comment on one line, which nothing in the text can end; empty for an empty text. */
export function docComment(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').trim();
  const short = line.length <= LONGEST_COMMENT ? line : `${line.slice(0, LONGEST_COMMENT)}…`;
  return short === '' ? '' : `/** ${short.replaceAll('*/', '* /')} */\n`;
}
