// Writes the tables of docs/settings.md from the published JSON Schema: one for each object, with a row for each field,
// its values and its meaning.

import type { JsonObject } from '../../packages/base/src/index.ts';
import { writeMarkedPart } from '../source/marked-part.ts';

/** The page with an updated generated part. */
export function writeTables(page: string, schema: JsonObject): string {
  const tables = tablesOf(schema).map(({ title, rows }) => `## ${title}\n\n${rows}\n`);
  return writeMarkedPart(page, 'settings', tables.join('\n').trimEnd());
}

interface Table {
  readonly title: string;
  readonly rows: string;
}

function tablesOf(schema: JsonObject): readonly Table[] {
  const server = at(schema, 'definitions', 'server');
  const rule = objectOf(at(schema, 'properties', 'permissions', 'properties', 'allow', 'items'));
  const codebase = at(schema, 'properties', 'codebase');
  const chat = at(schema, 'properties', 'chat');
  const profiles = at(schema, 'properties', 'gateway', 'properties', 'profiles');
  const profile = at(profiles, 'additionalProperties');
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
      title: '`xaa` of `oauth`',
      rows: rowsOf(objectOf(at(server, 'properties', 'oauth', 'properties', 'xaa'))),
    },
    {
      title: 'A rule of `allowedMcpServers` or `deniedMcpServers`',
      rows: rowsOf(at(schema, 'properties', 'allowedMcpServers', 'items')),
    },
    { title: '`permissions` of a file', rows: rowsOf(at(schema, 'properties', 'permissions')) },
    { title: 'A rule of `allow`, `ask` or `deny`', rows: rowsOf(rule) },
    { title: '`annotations` of such a rule', rows: rowsOf(at(rule, 'properties', 'annotations')) },
    {
      title: 'A condition in `arguments` of such a rule',
      rows: rowsOf(at(rule, 'properties', 'arguments', 'items')),
    },
    { title: '`hooks` of a file', rows: rowsOf(at(schema, 'properties', 'hooks')) },
    {
      title: 'A hook',
      rows: rowsOf(at(schema, 'properties', 'hooks', 'properties', 'beforeCall', 'items')),
    },
    {
      title: 'A connector',
      rows: rowsOf(at(schema, 'properties', 'connectors', 'additionalProperties')),
    },
    { title: '`codebase` of a file', rows: rowsOf(codebase) },
    ...['embedder', 'store'].map((name) => ({
      title: `\`${name}\` of \`codebase\``,
      rows: rowsOf(objectOf(at(codebase, 'properties', name))),
    })),
    ...['identityProvider', 'limits', 'discover', 'gateway'].map((name) => ({
      title: `\`${name}\` of a file`,
      rows: rowsOf(at(schema, 'properties', name)),
    })),
    { title: 'A profile in `profiles` of `gateway`', rows: rowsOf(profile) },
    { title: '`tools` of a profile', rows: rowsOf(at(profile, 'properties', 'tools')) },
    { title: '`chat` of a file', rows: rowsOf(chat) },
    {
      title: 'A provider in `providers` of `chat`',
      rows: rowsOf(at(chat, 'properties', 'providers', 'additionalProperties')),
    },
  ];
}

/** The object form of a value that may also be a string or a boolean. */
function objectOf(schema: JsonObject): JsonObject {
  return (schema['anyOf'] as readonly JsonObject[]).find(({ type }) => type === 'object') ?? {};
}

function rowsOf(object: JsonObject): string {
  const rows = Object.entries(at(object, 'properties')).map(([field, value]) => {
    const schema = value as JsonObject & { readonly description: string };
    return `| \`${field}\` | ${valueWords(schema)} | ${schema.description} |`;
  });
  return ['| field | value | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The values of a field, in words. */
function valueWords(schema: JsonObject): string {
  const { type, enum: words, items, additionalProperties, anyOf } = schema;
  if (Array.isArray(anyOf)) return (anyOf as readonly JsonObject[]).map(valueWords).join(', or ');
  if (Array.isArray(words)) return words.map((word) => `\`"${word}"\``).join(', ');
  switch (type) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `whole number from ${schema['minimum'] as number}`;
    case 'number':
      return 'number';
    case 'array':
      return isText(items) ? 'list of texts' : listWords(items);
    case 'object':
      return isText(additionalProperties) ? 'object of texts' : 'object';
    default:
      // The description explains it, and the code that uses the value checks it.
      return 'any value';
  }
}

/** Distinguishes lists by their fields: only hooks have a shell, folders a path and a name, conditions only a path. */
function listWords(items: unknown): string {
  const { anyOf = [items] } = items as { readonly anyOf?: readonly unknown[] };
  const properties = anyOf
    .map((each) => (each as { readonly properties?: JsonObject }).properties)
    .find((each) => each !== undefined);
  if (properties === undefined)
    return Object.keys(items as object).length === 0 ? 'list' : 'list of rules';
  if ('path' in properties) return 'name' in properties ? 'list of folders' : 'list of conditions';
  return 'shell' in properties ? 'list of hooks' : 'list of rules';
}

function isText(schema: unknown): boolean {
  return (schema as JsonObject | undefined)?.['type'] === 'string';
}

function at(schema: JsonObject, ...path: readonly string[]): JsonObject {
  return path.reduce((value, key) => value[key] as JsonObject, schema);
}
