// Shows a JSON Schema as a TypeScript type, which models understand as well as the schema, with a fraction of the tokens.
// Schemas come from servers, so all sizes are bounded, and omissions are marked. Pure.

import { isObject, pointerKeys } from '@plugboard/base';

export interface TypeTextOptions {
  /** How deep objects are shown; deeper ones are `object…`. */
  readonly depth: number;
  /** The maximum number of values, alternatives or properties. */
  readonly most: number;
  /** Whether descriptions of properties are shown, each on its own line. */
  readonly comments: 'none' | 'lines';
}

/** Marks an omission. */
export const SHORTENED = '…';

const DEEPEST_REFERENCE = 8;
/** More than any complete text: a short recursive schema would unfold without end. */
const MOST_TYPES = 1000;
const LONGEST_VALUE = 60;
const LONGEST_COMMENT = 400;

type Schema = Readonly<Record<string, unknown>>;

interface TypePosition {
  readonly root: unknown;
  readonly options: TypeTextOptions;
  readonly depth: number;
  /** The number of references that led here. */
  readonly references: number;
  /** Counts the types of the whole text. */
  readonly unfolded: { types: number };
}

export function typeText(schema: unknown, root: unknown, options: TypeTextOptions): string {
  return typeAt(schema, { root, options, depth: 0, references: 0, unfolded: { types: 0 } });
}

export interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

/** Required properties first, otherwise in the schema's order. */
export function propertiesOf(schema: unknown): readonly Property[] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  const required = Array.isArray(schema['required']) ? new Set<unknown>(schema['required']) : NONE;
  const all = Object.entries(schema['properties']).map(([name, inner]) => ({
    name,
    schema: inner,
    isRequired: required.has(name),
  }));
  return [...all.filter((each) => each.isRequired), ...all.filter((each) => !each.isRequired)];
}

const NONE: ReadonlySet<unknown> = new Set();

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function typeAt(schema: unknown, place: TypePosition): string {
  place.unfolded.types += 1;
  if (place.unfolded.types > MOST_TYPES) return `unknown${SHORTENED}`;
  if (schema === false) return 'never';
  if (!isObject(schema)) return 'unknown';
  if (typeof schema['$ref'] === 'string') return referenceType(schema['$ref'], place);
  if ('const' in schema) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal), place);
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) {
    return union(
      alternatives.map((each) => typeAt(each, place)),
      place,
    );
  }
  // The intersection is seldom worth its length.
  if (Array.isArray(schema['allOf'])) return `${objectType(schema, place)}${SHORTENED}`;
  const { type } = schema;
  return Array.isArray(type)
    ? union(
        type.map((each) => typeOf(each, schema, place)),
        place,
      )
    : typeOf(type, schema, place);
}

function typeOf(type: unknown, schema: Schema, place: TypePosition): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(schema, place);
    case 'object':
      return objectType(schema, place);
    default:
      if ('properties' in schema) return objectType(schema, place);
      return 'items' in schema ? arrayType(schema, place) : 'unknown';
  }
}

function arrayType(schema: Schema, place: TypePosition): string {
  const item = typeAt(schema['items'] ?? {}, place);
  return /^[\w.…]+$/u.test(item) || item.startsWith('{') ? `${item}[]` : `(${item})[]`;
}

function objectType(schema: Schema, place: TypePosition): string {
  const { options, depth } = place;
  const properties = propertiesOf(schema);
  if (properties.length === 0) return mapType(schema, place);
  if (depth >= options.depth) return `object${SHORTENED}`;
  const inner = { ...place, depth: depth + 1 };
  const lines = options.comments === 'lines';
  const shown = properties.slice(0, options.most).map(({ name, schema: of, isRequired }) => {
    const text = `${propertyName(name)}${isRequired ? '' : '?'}: ${typeAt(of, inner)}`;
    return lines ? `${commentOf(of)}${text};` : text;
  });
  const all = properties.length > options.most ? [...shown, SHORTENED] : shown;
  return lines ? `{\n${indented(all.join('\n'))}\n}` : `{ ${all.join(', ')} }`;
}

function mapType({ additionalProperties }: Schema, place: TypePosition): string {
  return isObject(additionalProperties) && place.depth < place.options.depth
    ? `Record<string, ${typeAt(additionalProperties, { ...place, depth: place.depth + 1 })}>`
    : 'object';
}

/** The description and the default value. */
function commentOf(schema: unknown): string {
  if (!isObject(schema)) return '';
  const { description, default: given } = schema;
  const text = typeof description === 'string' ? oneLine(description, LONGEST_COMMENT) : '';
  const both = given === undefined ? text : `${text} Default: ${literal(given)}`.trim();
  return both === '' ? '' : `/** ${both.replaceAll('*/', '* /')} */\n`;
}

export function oneLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most).trimEnd()}${SHORTENED}`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function literal(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= LONGEST_VALUE ? text : `${typeof value}${SHORTENED}`;
}

function union(types: readonly string[], { options }: TypePosition): string {
  const different = [...new Set(types)];
  if (different.length === 0) return 'never';
  const shown = different.slice(0, options.most);
  return [...shown, ...(different.length > shown.length ? [SHORTENED] : [])].join(' | ');
}

/** Only references inside the schema itself: nothing is fetched. */
function referenceType(reference: string, place: TypePosition): string {
  if (place.references >= DEEPEST_REFERENCE) return `object${SHORTENED}`;
  const target = reference.startsWith('#') ? valueAt(place.root, reference.slice(1)) : undefined;
  return target === undefined
    ? `unknown${SHORTENED}`
    : typeAt(target, { ...place, references: place.references + 1 });
}

function valueAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const name of pointerKeys(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Schema)[name];
  }
  return at;
}
