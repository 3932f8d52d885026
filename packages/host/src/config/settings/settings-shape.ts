// The shape of a file of settings. Finding the settings in a file and applying them is left to their readers.

import { ENTRY_FIELDS, entryShape, PLAIN_NAMES, SERVER_NAMES } from '../fields/index.ts';
import { fields, listOf, mapOf, notBlank, oneField, oneOf, text } from '../text/index.ts';
import { hookSettingsShape } from './hook-shape.ts';
import { OBJECT_SETTINGS, type ObjectSettingKey } from './object-settings.ts';
import { permissionSettingsShape } from './permission-shape.ts';
import { PIN_MODES } from './pin-setting.ts';

/** An address that lists the remote servers of an account. It has the fields of a remote server. */
export const connectorShape = fields({
  url: ENTRY_FIELDS.url.shape,
  headers: ENTRY_FIELDS.headers.shape,
  headersHelper: ENTRY_FIELDS.headersHelper.shape,
});

/** A policy rule names servers by name, by address or by exact command. */
const policyRuleShape = oneField({
  serverName: notBlank,
  serverUrl: notBlank,
  serverCommand: listOf(text(), { words: 'must be a list of texts that is not empty', least: 1 }),
});

const policyShape = listOf(policyRuleShape, { words: 'must be a list of rules' });

export const serversShape = mapOf(entryShape, {
  names: SERVER_NAMES,
  words: 'must be an object of servers',
});

// `Object.entries` loses the type of each key.
const objectShapes = Object.fromEntries(
  Object.entries(OBJECT_SETTINGS).map(([key, { shape }]) => [key, shape]),
) as { readonly [Key in ObjectSettingKey]: (typeof OBJECT_SETTINGS)[Key]['shape'] };

export const settingsShape = fields({
  $schema: text(),
  mcpServers: serversShape,
  allowedMcpServers: policyShape,
  deniedMcpServers: policyShape,
  permissions: permissionSettingsShape,
  hooks: hookSettingsShape,
  connectors: mapOf(connectorShape, {
    names: PLAIN_NAMES,
    words: 'must be an object of connectors',
  }),
  pins: oneOf(PIN_MODES),
  ...objectShapes,
});
