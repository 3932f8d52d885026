// The lists of docs/settings.md, from the published JSON Schema: one table for each object, a row for
// each field with what it may hold and what it is for.

import type { JsonObject } from '../../packages/base/src/index.ts';

const BEGIN = '<!-- settings:begin -->';
const END = '<!-- settings:end -->';

/** The page with its generated part brought up to date. */
export function writeTables(page: string, schema: JsonObject): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`the page lacks ${BEGIN} and ${END}`);
  const tables = tablesOf(schema).map(({ title, rows }) => `## ${title}\n\n${rows}\n`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${tables.join('\n')}\n${page.slice(end)}`;
}

interface Table {
  readonly title: string;
  readonly rows: string;
}

function tablesOf(schema: JsonObject): readonly Table[] {
  const server = at(schema, 'definitions', 'server');
  return [
    { title: 'A file of settings', rows: rowsOf(schema) },
    { title: 'A server', rows: rowsOf(server) },
    ...Object.entries(at(server, 'properties'))
      .filter(([, field]) => (field as JsonObject)['properties'] !== undefined)
      .map(([name, field]) => ({
        title: `\`${name}\` of a server`,
        rows: rowsOf(field as JsonObject),
      })),
    {
      title: 'A rule of `allowedMcpServers` or `deniedMcpServers`',
      rows: rowsOf(at(schema, 'properties', 'allowedMcpServers', 'items')),
    },
    {
      title: 'A connector',
      rows: rowsOf(at(schema, 'properties', 'connectors', 'additionalProperties')),
    },
  ];
}

function rowsOf(object: JsonObject): string {
  const rows = Object.entries(at(object, 'properties')).map(([field, value]) => {
    const schema = value as JsonObject & { readonly description: string };
    return `| \`${field}\` | ${holds(schema)} | ${schema.description} |`;
  });
  return ['| field | holds | what it is for |', '|---|---|---|', ...rows].join('\n');
}

/** What a field may hold, in words. */
function holds(schema: JsonObject): string {
  const { type, enum: words, items, additionalProperties } = schema;
  if (Array.isArray(words)) return words.map((word) => `\`"${word}"\``).join(', ');
  switch (type) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `whole number from ${schema['minimum'] as number}`;
    case 'array':
      return isText(items) ? 'list of texts' : 'list of rules';
    case 'object':
      return isText(additionalProperties) ? 'object of texts' : 'object';
    default:
      // Described, and looked at by whoever uses it.
      return 'any value';
  }
}

function isText(schema: unknown): boolean {
  return (schema as JsonObject | undefined)?.['type'] === 'string';
}

function at(schema: JsonObject, ...path: readonly string[]): JsonObject {
  return path.reduce((value, key) => value[key] as JsonObject, schema);
}
