// Which arguments a tool wants to see as headers, too: `x-mcp-header` in its schema. A declaration
// that breaks the rules makes the whole tool unusable over HTTP, since a server would refuse every
// call of it. Pure.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters

import { err, isObject, type JsonObject, ok, type Result } from '@plugboard/base';

export interface HeaderDeclaration {
  /** What follows `Mcp-Param-` in the header's name. */
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

/** Keywords that hold a schema, or a list of schemas. */
const SCHEMAS: readonly string[] = [
  ...['additionalItems', 'additionalProperties', 'allOf', 'anyOf', 'contains', 'contentSchema'],
  ...['else', 'if', 'items', 'not', 'oneOf', 'prefixItems', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];

/** Keywords that hold schemas by name. `properties` is the one that leads to an argument. */
const NAMED_SCHEMAS: readonly string[] = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
];

/** More headers than this few servers accept, and none has arguments for. */
const MAX_DECLARATIONS = 100;

/** What a schema declares, or what is wrong with it. */
export function headerDeclarations(
  inputSchema: JsonObject,
): Result<readonly HeaderDeclaration[], string> {
  const found = new Map<string, HeaderDeclaration>();
  const places: SchemaPlace[] = [{ schema: inputSchema, key: undefined, above: undefined }];
  // It grows while it is read: every schema in the schema has its turn.
  for (const place of places) {
    for (const below of placesBelow(place)) places.push(below);
    if (!Object.hasOwn(place.schema, DECLARATION)) continue;
    const declared = readDeclaration(place);
    if (!declared.ok) return declared;
    // The names of headers know no case.
    const name = declared.value.name.toLowerCase();
    if (found.has(name)) return err(`declares the header ${shortJson(name)} twice`);
    found.set(name, declared.value);
    if (found.size > MAX_DECLARATIONS) return err('declares more headers than a request can have');
  }
  return ok([...found.values()]);
}

/** A schema, and the way to it. Ways are not written out: a hostile schema has very many. */
interface SchemaPlace {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The property that it describes; undefined for a schema that describes none, or none that is fixed. */
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

const SHOWN_LENGTH = 60;

/** Text from the server, short enough for a message. */
function shortJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, SHOWN_LENGTH);
}
