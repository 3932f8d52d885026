// Makes headers from the arguments that a modern server requires as headers, so that intermediaries can route by them.
// Pure, apart from a cache of the declarations by schema.

import { isObject, type Json, type JsonObject, type Result } from '@plugboard/base';
import { type HeaderDeclaration, headerDeclarations } from './header-declarations.ts';
import type { RejectedItem, ToolDefinition } from '../neutral/model.ts';
import type { Page } from '../neutral/primitives.ts';

/** By name. */
export type ParameterHeaders = Record<string, string>;

const PREFIX = 'Mcp-Param-';

/** Each schema is read once. An entry lives as long as its schema. */
const known = new WeakMap<JsonObject, Result<readonly HeaderDeclaration[], string>>();

function declarationsOf(schema: JsonObject): Result<readonly HeaderDeclaration[], string> {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const read = headerDeclarations(schema);
  known.set(schema, read);
  return read;
}

/** The page without the tools whose declarations break the rules. */
export function withoutBadHeaders(page: Page<ToolDefinition>): Page<ToolDefinition> {
  const items: ToolDefinition[] = [];
  const rejected: RejectedItem[] = [...page.rejected];
  for (const tool of page.items) {
    const declared = declarationsOf(tool.inputSchema);
    if (declared.ok) items.push(tool);
    else rejected.push({ name: tool.name, reason: declared.error });
  }
  return { ...page, items, rejected };
}

/** The headers for a call of a tool with this schema; none for arguments that are null or not given. */
export function parameterHeaders(
  inputSchema: JsonObject | undefined,
  given: JsonObject,
): ParameterHeaders {
  const headers: ParameterHeaders = {};
  if (inputSchema === undefined) return headers;
  const declared = declarationsOf(inputSchema);
  if (!declared.ok) return headers;
  for (const declaration of declared.value) {
    const text = headerText(valueAt(given, declaration.path), declaration);
    if (text !== undefined) headers[PREFIX + declaration.name] = headerValue(text);
  }
  return headers;
}

function valueAt(given: JsonObject, path: readonly string[]): Json | undefined {
  let current: unknown = given;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  // Every value inside JSON is JSON.
  return current as Json;
}

/** Returns `undefined` for a value that is not of the declared type; the server reports that. */
function headerText(value: Json | undefined, { type }: HeaderDeclaration): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'integer':
      // A server may read larger numbers in the body with another value.
      return Number.isSafeInteger(value) ? `${value as number}` : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined;
    default:
      return type satisfies never;
  }
}

const OPENING = '=?base64?';
const CLOSING = '?=';

/** Printable ASCII that neither begins nor ends with a space. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * The text itself if a header can contain it, otherwise base64 between two markers.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function headerValue(text: string): string {
  // A text that begins with the marker must be encoded, too.
  if (PLAIN.test(text) && !text.startsWith(OPENING)) return text;
  return `${OPENING}${Buffer.from(text, 'utf8').toString('base64')}${CLOSING}`;
}
