// Finds the arguments that a tool requires as headers, too: `x-mcp-header` in its schema. An invalid declaration makes
// the tool unusable over HTTP, since the server would refuse every call of it. Pure.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters

import { err, isObject, type JsonObject, ok, type Result } from '@plugboard/base';
import { shortJson } from '../frame/short-json.ts';

export interface HeaderDeclaration {
  /** The part of the header's name after `Mcp-Param-`. */
  readonly name: string;
  readonly type: DeclaredType;
  /** The keys that lead to the argument. */
  readonly path: readonly string[];
}

export type DeclaredType = 'string' | 'integer' | 'boolean';

const DECLARATION = 'x-mcp-header';
const TYPES: ReadonlySet<unknown> = new Set<DeclaredType>(['string', 'integer', 'boolean']);

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS: readonly string[] = [
  ...['additionalItems', 'additionalProperties', 'allOf', 'anyOf', 'contains', 'contentSchema'],
  ...['else', 'if', 'items', 'not', 'oneOf', 'prefixItems', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];

/** Keywords whose value has schemas by name, except `properties`, which leads to arguments. */
const NAMED_SCHEMAS: readonly string[] = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
];

/** Few servers accept more headers, and none has so many arguments. */
const MAX_DECLARATIONS = 100;

/** The declarations in a schema, or what is wrong with them. */
export function headerDeclarations(
  inputSchema: JsonObject,
): Result<readonly HeaderDeclaration[], string> {
  const found = new Map<string, HeaderDeclaration>();
  const places: SchemaPlace[] = [{ schema: inputSchema, key: undefined, above: undefined }];
  // The list grows during the loop, which so visits all nested schemas.
  for (const place of places) {
    for (const below of placesBelow(place)) places.push(below);
    if (!Object.hasOwn(place.schema, DECLARATION)) continue;
    const declared = readDeclaration(place);
    if (!declared.ok) return declared;
    // Header names ignore case.
    const name = declared.value.name.toLowerCase();
    if (found.has(name)) return err(`declares the header ${shortJson(name)} twice`);
    found.set(name, declared.value);
    if (found.size > MAX_DECLARATIONS) return err('declares more headers than a request can have');
  }
  return ok([...found.values()]);
}

/** A schema and its place. Paths are not stored in full, because a hostile schema has very many. */
interface SchemaPlace {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The property that it describes; `undefined` if it describes none with a fixed name. */
  readonly key: string | undefined;
  readonly above: SchemaPlace | undefined;
}

function readDeclaration(place: SchemaPlace): Result<HeaderDeclaration, string> {
  const { [DECLARATION]: name, type } = place.schema;
  const path = pathTo(place);
  if (path === undefined) {
    return err('declares a header for something that is not an argument of a fixed place');
  }
  if (typeof name !== 'string' || !HEADER_NAME.test(name)) {
    return err(`declares a header with the name ${shortJson(name)}, which no header can have`);
  }
  if (!TYPES.has(type)) {
    return err(`declares the header ${shortJson(name)} for the type ${shortJson(type)}`);
  }
  return ok({ name, type: type as DeclaredType, path });
}

function pathTo(place: SchemaPlace): readonly string[] | undefined {
  const path: string[] = [];
  let current = place;
  while (current.above !== undefined) {
    if (current.key === undefined) return undefined;
    path.push(current.key);
    current = current.above;
  }
  return path.length === 0 ? undefined : path.toReversed();
}

function* placesBelow(above: SchemaPlace): Generator<SchemaPlace> {
  const { schema } = above;
  for (const [key, below] of entriesOf(schema['properties'])) yield { schema: below, key, above };
  for (const keyword of SCHEMAS) {
    for (const below of [schema[keyword]].flat()) {
      if (isObject(below)) yield { schema: below, key: undefined, above };
    }
  }
  for (const keyword of NAMED_SCHEMAS) {
    for (const [, below] of entriesOf(schema[keyword])) {
      yield { schema: below, key: undefined, above };
    }
  }
}

function entriesOf(value: unknown): readonly [string, Record<string, unknown>][] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, Record<string, unknown>] =>
    isObject(entry[1]),
  );
}
