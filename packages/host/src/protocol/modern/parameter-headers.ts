// The arguments of a call that a modern server wants to see as headers as well, so that what is between can route by
// them. Pure, but for remembering what was read of a schema.

import { isObject, type Json, type JsonObject, type Result } from '@plugboard/base';
import { type HeaderDeclaration, headerDeclarations } from './header-declarations.ts';
import type { RejectedItem, ToolDefinition, ToolPage } from '../neutral/model.ts';

/** By name. */
export type ParameterHeaders = Record<string, string>;

const PREFIX = 'Mcp-Param-';

/** Schemas are read once, and live as long as the list that they came with. */
const known = new WeakMap<JsonObject, Result<readonly HeaderDeclaration[], string>>();

function declarationsOf(schema: JsonObject): Result<readonly HeaderDeclaration[], string> {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const read = headerDeclarations(schema);
  known.set(schema, read);
  return read;
}

/** The page without the tools whose declarations break the rules. */
export function withoutBadHeaders(page: ToolPage): ToolPage {
  const tools: ToolDefinition[] = [];
  const rejected: RejectedItem[] = [...page.rejected];
  for (const tool of page.tools) {
    const declared = declarationsOf(tool.inputSchema);
    if (declared.ok) tools.push(tool);
    else rejected.push({ name: tool.name, reason: declared.error });
  }
  return { ...page, tools, rejected };
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
  // A value in JSON is JSON.
  return current as Json;
}

/** A value of another type than the declared one has no header: the server will say what it thinks. */
function headerText(value: Json | undefined, { type }: HeaderDeclaration): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'integer':
      // Beyond this, what a server reads in the body need not be what was written there.
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
 * As it is where a header can hold it, and otherwise in base64 between two marks.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function headerValue(text: string): string {
  // What begins like the marks would be taken for them.
  if (PLAIN.test(text) && !text.startsWith(OPENING)) return text;
  return `${OPENING}${Buffer.from(text, 'utf8').toString('base64')}${CLOSING}`;
}
