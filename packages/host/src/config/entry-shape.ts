// The fields an entry may have and what each may hold. Which of them belong together, and what kind
// of server they make, is decided in read-entry.ts.

import {
  anyObject,
  fields,
  flag,
  listOfText,
  oneOf,
  type Shaped,
  text,
  textsByName,
  wholeNumber,
} from './shape.ts';

/** Timers count in 31 bits; a longer one would fire at once. */
const MAX_MILLISECONDS = 2_147_483_647;

const milliseconds = wholeNumber({ min: 1, max: MAX_MILLISECONDS, unit: 'milliseconds' });

const notEmpty = text({ pattern: /[^]/, words: 'must not be empty' });
const notBlank = text({ pattern: /\S/, words: 'must not be empty' });

const env = textsByName({
  pattern: /^[^=\0]+$/,
  words: 'must have names without "=", and none empty',
});

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
const headers = textsByName({
  pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
  words: 'must have names of HTTP headers',
});

export const reconnectShape = fields({
  maxAttempts: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, unit: '' }),
  delayMs: milliseconds,
});

export const toolsShape = fields({ include: listOfText, exclude: listOfText });

export const entryShape = fields({
  type: text(),
  command: notBlank,
  args: listOfText,
  env,
  cwd: notEmpty,
  envFile: notEmpty,
  url: notBlank,
  headers,
  headersHelper: notBlank,
  oauth: anyObject,
  disabled: flag,
  timeout: milliseconds,
  connectTimeout: milliseconds,
  reconnect: reconnectShape,
  tools: toolsShape,
  permissions: anyObject,
  required: flag,
  lifecycle: oneOf(['eager', 'lazy', 'keep-alive']),
  alwaysLoad: flag,
  protocol: oneOf(['auto', 'legacy', 'modern']),
});

export type EntryFields = Shaped<typeof entryShape>;

export type FieldKey = keyof EntryFields;

export const FIELD_KEYS: readonly FieldKey[] = entryShape.keys;

/** How each field is written, for suggestions. */
export const EXAMPLES: Readonly<Record<FieldKey, string>> = {
  type: '"type": "http"',
  command: '"command": "npx"',
  args: '"args": ["-y", "some-package"]',
  env: '"env": { "NAME": "value" }',
  cwd: '"cwd": "./server"',
  envFile: '"envFile": ".env"',
  url: '"url": "https://example.com/mcp"',
  headers: '"headers": { "Authorization": "Bearer ${TOKEN}" }',
  headersHelper: '"headersHelper": "print-headers"',
  oauth: '"oauth": { "clientId": "some-client" }',
  disabled: '"disabled": true',
  timeout: '"timeout": 60000',
  connectTimeout: '"connectTimeout": 30000',
  reconnect: '"reconnect": { "maxAttempts": 5, "delayMs": 1000 }',
  tools: '"tools": { "include": ["search_*"], "exclude": ["delete_*"] }',
  permissions: '"permissions": {}',
  required: '"required": true',
  lifecycle: '"lifecycle": "lazy"',
  alwaysLoad: '"alwaysLoad": true',
  protocol: '"protocol": "auto"',
};
