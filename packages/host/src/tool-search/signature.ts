// Describes a tool in one line, `github.create_issue(owner: string, title: string, labels?: string[]) — Creates an issue`,
// and in full, as a declaration. Pure.

import { isObject } from '@plugboard/base';
import type { SearchableTool } from './tool-text.ts';
import { oneLine, propertiesOf, propertyName, SHORTENED, typeText } from './type-text.ts';

export interface DescribedTool extends SearchableTool {
  readonly outputSchema?: unknown;
}

const IN_LINE = { depth: 1, most: 5, comments: 'none' } as const;
const MOST_PARAMETERS = 10;
const LONGEST_TYPE = 80;
const LONGEST_SUMMARY = 110;

const IN_FULL = { depth: 6, most: 40, comments: 'lines' } as const;
const LONGEST_DESCRIPTION = 1500;
const LONGEST_DECLARATION = 8000;

/** The name by which a model calls the tool. */
export function shortName({ server, tool }: Pick<SearchableTool, 'server' | 'tool'>): string {
  return `${server}.${tool}`;
}

export function signature(tool: DescribedTool): string {
  const { inputSchema, description } = tool;
  const properties = propertiesOf(inputSchema);
  const parameters = properties.slice(0, MOST_PARAMETERS).map(({ name, schema, isRequired }) => {
    const type = typeText(schema, inputSchema, IN_LINE);
    const short = type.length <= LONGEST_TYPE ? type : `${kindOf(schema)}${SHORTENED}`;
    return `${propertyName(name)}${isRequired ? '' : '?'}: ${short}`;
  });
  const all = properties.length > MOST_PARAMETERS ? [...parameters, SHORTENED] : parameters;
  const summary = summaryOf(description);
  return `${shortName(tool)}(${all.join(', ')})${summary === '' ? '' : ` — ${summary}`}`;
}

function kindOf(schema: unknown): string {
  if (!isObject(schema)) return 'unknown';
  if (schema['type'] === 'array' || 'items' in schema) return 'array';
  return 'properties' in schema || schema['type'] === 'object' ? 'object' : 'unknown';
}

/** The first sentence. */
function summaryOf(description: string): string {
  const line = oneLine(description, 4 * LONGEST_SUMMARY);
  const end = /[.!?](?=\s|$)|[。！？]/u.exec(line);
  return oneLine(end === null ? line : line.slice(0, end.index), LONGEST_SUMMARY);
}

/** With the descriptions of all parameters, and the type of the result if the server states it. */
export function declaration(tool: DescribedTool): string {
  const { inputSchema, outputSchema, description, title } = tool;
  const about = [title ?? '', oneLine(description, LONGEST_DESCRIPTION)]
    .filter((text) => text !== '')
    .join(': ');
  const comment = `/** ${about.replaceAll('*/', '* /')} */`;
  const given = typeText(inputSchema, inputSchema, IN_FULL);
  const result = isObject(outputSchema)
    ? typeText(outputSchema, outputSchema, { ...IN_FULL, depth: 3 })
    : 'unknown';
  const text = `${comment}\n${shortName(tool)}(arguments: ${given}): ${result}`;
  return text.length <= LONGEST_DECLARATION
    ? text
    : `${text.slice(0, LONGEST_DECLARATION)}${SHORTENED} (cut)`;
}
