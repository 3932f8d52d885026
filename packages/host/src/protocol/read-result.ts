// Checks a server's tools and its results of `tools/call`. It runs for every call, where a schema library would be
// most of the cost. Valid values are passed on unchanged.

import { err, isObject, type Json, type JsonObject, ok, type Result } from '@plugboard/base';
import { shortJson } from './frame/short-json.ts';
import { LACKS_CONTENT } from './modern/assume-complete.ts';
import type {
  ContentBlock,
  Freshness,
  ToolAnnotations,
  ToolDefinition,
  ToolResult,
} from './neutral/model.ts';

export function readToolResult(raw: unknown): Result<ToolResult, string> {
  if (!isObject(raw)) return err('the result is not an object');
  const { content, structuredContent, isError, _meta } = raw;
  const common = {
    isError: isError === true,
    ...withoutOwnKeys(_meta),
  };
  if (content === undefined || content === null || lacksContent(_meta)) {
    const instead = structuredContent === undefined ? otherMembers(raw) : structuredContent;
    return ok({
      content: [],
      ...common,
      ...(instead === undefined ? {} : { structuredContent: instead as Json }),
      ...(structuredContent === undefined ? { lacksContent: true } : {}),
    });
  }
  if (!Array.isArray(content)) return err('`content` is not a list');
  for (const [index, block] of content.entries()) {
    const problem = problemOfBlock(block);
    if (problem !== undefined) return err(`content[${index}] ${problem}`);
  }
  return ok({
    content: content as readonly ContentBlock[],
    ...common,
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as Json }),
  });
}

/** Every modern result has this in `_meta`; the session has it already. */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

function lacksContent(meta: unknown): boolean {
  return isObject(meta) && meta[LACKS_CONTENT] === true;
}

function withoutOwnKeys(raw: unknown): { readonly _meta?: JsonObject } {
  if (!isObject(raw)) return {};
  const { [SERVER_INFO]: _, [LACKS_CONTENT]: _lacks, ...own } = raw;
  return Object.keys(own).length === 0 ? {} : { _meta: own as JsonObject };
}

/** The other members of a result without content; `undefined` if it has none. */
function otherMembers(raw: Readonly<Record<string, unknown>>): JsonObject | undefined {
  const { content: _, isError: _isError, _meta, resultType: _type, ...rest } = raw;
  return Object.keys(rest).length === 0 ? undefined : (rest as JsonObject);
}

/** What is wrong with a content block. */
export function problemOfBlock(block: unknown): string | undefined {
  if (!isObject(block)) return 'is not an object';
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? undefined : 'has no text';
    case 'image':
    case 'audio':
      return isText(block, 'data') && isText(block, 'mimeType')
        ? undefined
        : 'has no data or no mimeType';
    case 'resource':
      return problemOfResource(block['resource']);
    case 'resource_link':
      return isText(block, 'uri') ? undefined : 'has no uri';
    default:
      return `is of an unknown type ${shortJson(block['type'])}`;
  }
}

function problemOfResource(resource: unknown): string | undefined {
  const problem = problemOfContents(resource);
  return problem === undefined ? undefined : `holds a resource that ${problem}`;
}

/** What is wrong with the contents of a resource. */
export function problemOfContents(resource: unknown): string | undefined {
  if (!isObject(resource) || !isText(resource, 'uri')) return 'has no uri';
  return isText(resource, 'text') || isText(resource, 'blob')
    ? undefined
    : 'has neither text nor blob';
}

/** Some servers omit the schema of a tool without arguments. */
const ANY_ARGUMENTS: JsonObject = { type: 'object' };

export function readTool(raw: Readonly<Record<string, unknown>>): Result<ToolDefinition, string> {
  // Members that this host does not use, such as icons, are kept for its callers.
  const { name, title, description, outputSchema, annotations, execution, _meta, ...others } = raw;
  const { needsTask: _, ...rest } = others;
  const inputSchema = raw['inputSchema'] ?? ANY_ARGUMENTS;
  if (typeof name !== 'string' || name === '') return err('has no name');
  if (!isObject(inputSchema)) return err('has an inputSchema that is not an object');
  return ok({
    ...rest,
    name,
    inputSchema: inputSchema as JsonObject,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(outputSchema) ? { outputSchema: outputSchema as JsonObject } : {}),
    ...(isObject(annotations) ? { annotations: readAnnotations(annotations) } : {}),
    ...(isObject(execution) ? { execution: execution as JsonObject } : {}),
    ...(needsTask(execution) ? { needsTask: true } : {}),
    ...(isObject(_meta) ? { _meta: _meta as JsonObject } : {}),
  });
}

function needsTask(execution: unknown): boolean {
  return isObject(execution) && execution['taskSupport'] === 'required';
}

/** Drops hints of the wrong type. Hints that this host does not use are kept for its callers. */
function readAnnotations(raw: Readonly<Record<string, unknown>>): ToolAnnotations {
  const sound = Object.entries(raw).filter(
    ([key, hint]) => !(key in HINT_TYPES) || typeof hint === HINT_TYPES[key],
  );
  return Object.fromEntries(sound);
}

const HINT_TYPES: Readonly<Record<string, string>> = Object.freeze({
  __proto__: null as never,
  title: 'string',
  readOnlyHint: 'boolean',
  destructiveHint: 'boolean',
  idempotentHint: 'boolean',
  openWorldHint: 'boolean',
});

function isText(value: Readonly<Record<string, unknown>>, key: string): boolean {
  return typeof value[key] === 'string';
}

/**
 * How long a result may be cached, and for whom.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export function freshnessOf({
  ttlMs,
  cacheScope,
}: Readonly<Record<string, unknown>>): Freshness | undefined {
  if (typeof ttlMs !== 'number' || !(ttlMs >= 0)) return undefined;
  // Without a valid scope, the result counts as private.
  return { ttlMs, scope: cacheScope === 'public' ? 'public' : 'private' };
}
