// The JSON Schemas of our files, for editors: one for a file of settings, and one for `.mcp.json`, which may
// also be a bare map of servers. scripts/schema.ts writes both to files, which are published.

import type { JsonObject } from '@plugboard/base';
import { entryShape, FIELD_KEYS, rowOf } from '../fields/index.ts';
import {
  type AnyShape,
  type Derivation,
  jsonSchemaOf,
  nameSchema,
  referenceTo,
} from '../text/index.ts';
import { ENTRY_WORDS } from './entry-words.ts';
import { serversShape, settingsShape } from './settings-shape.ts';
import { SETTINGS_WORDS } from './settings-words.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';

const DERIVATION: Derivation = {
  named: new Map<AnyShape, string>([[entryShape, 'server']]),
  examples: new Map<AnyShape, JsonObject>([[entryShape, examples()]]),
};

/** For `.plugboard/settings.json`, `.plugboard/settings.local.json` and the user's own settings. */
export function settingsSchema(): JsonObject {
  return {
    $schema: DRAFT,
    title: 'Settings of Plugboard',
    description: 'The MCP servers of a project or a person, and the rules for them.',
    ...settings(),
    definitions: { server: server() },
  };
}

/** For `.mcp.json`: the same, or a bare map of servers. */
export function mcpJsonSchema(): JsonObject {
  const wrapped = { mcpServers: { description: SETTINGS_WORDS.mcpServers.about } };
  return {
    $schema: DRAFT,
    title: 'MCP servers of a project',
    description: 'The servers under "mcpServers", or nothing but the servers.',
    type: 'object',
    // For completion in an empty file; the branches below validate.
    properties: wrapped,
    if: { properties: wrapped, required: ['mcpServers'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: referenceTo('settings'),
    else: referenceTo('servers'),
    definitions: { settings: settings(), servers: servers(), server: server() },
  };
}

function settings(): JsonObject {
  return jsonSchemaOf(settingsShape, SETTINGS_WORDS, DERIVATION);
}

function server(): JsonObject {
  return { description: 'One server.', ...jsonSchemaOf(entryShape, ENTRY_WORDS, DERIVATION) };
}

function servers(): JsonObject {
  const { names } = serversShape.form;
  return {
    type: 'object',
    properties: { $schema: { description: SETTINGS_WORDS.$schema, type: 'string' } },
    propertyNames: { anyOf: [{ const: '$schema' }, nameSchema(names)] },
    additionalProperties: referenceTo('server'),
  };
}

/** Only for fields whose schema alone does not show how to write them. */
function examples(): JsonObject {
  const fields = FIELD_KEYS.map(rowOf)
    .filter(({ shape: { form } }) => form.kind !== 'one-of' && form.kind !== 'flag')
    .map(({ example }) => example);
  return JSON.parse(`{ ${fields.join(', ')} }`) as JsonObject;
}
