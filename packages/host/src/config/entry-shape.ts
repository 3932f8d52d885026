// The fields an entry may have and what each may hold. Which of them belong together, and what kind
// of server they make, is decided in read-entry.ts.

import { HEADER_NAME } from './header-rule.ts';
import {
  anyObject,
  fields,
  flag,
  knownWord,
  listOfText,
  mapOf,
  oneOf,
  type Shaped,
  text,
  textsByName,
  wholeNumber,
} from './shape.ts';

/** Timers count in 31 bits; a longer one would fire at once. */
const MAX_MILLISECONDS = 2_147_483_647;

export const milliseconds = wholeNumber({ min: 1, max: MAX_MILLISECONDS, unit: 'milliseconds' });

const notEmpty = text({ pattern: /[\s\S]/, words: 'must not be empty' });
export const notBlank = text({ pattern: /\S/, words: 'must not be empty' });

const env = textsByName({
  pattern: /^[^=\x00]+$/,
  words: 'must have names without "=", and none empty',
});

export const headers = textsByName({
  pattern: HEADER_NAME,
  words: 'must have names of HTTP headers',
});

export const reconnectShape = fields({
  maxAttempts: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, unit: '' }),
  delayMs: milliseconds,
});

export const toolsShape = fields({ include: listOfText, exclude: listOfText });

export const permissionsShape = fields({
  allowedTools: listOfText,
  deniedTools: listOfText,
  allowedResources: listOfText,
  readPermission: oneOf(['allow', 'ask', 'deny']),
  writePermission: oneOf(['allow', 'ask', 'deny']),
});

/** Less would not hold a note about what is missing; more is no limit. */
const resultLimits = {
  maxCharacters: wholeNumber({ min: 1000, max: 100_000_000, unit: 'characters' }),
  maxTokens: wholeNumber({ min: 500, max: 100_000_000, unit: 'tokens' }),
};

export const resultLimitsShape = fields(resultLimits);

export const outputShape = fields({
  ...resultLimits,
  tools: mapOf(resultLimitsShape, {
    names: { pattern: /\S/, words: 'must have names of tools' },
    words: 'must be an object of tools',
  }),
});

const requests = wholeNumber({ min: 1, max: 1_000_000, unit: 'requests' });
const tokens = wholeNumber({ min: 1, max: 1_000_000_000, unit: 'tokens' });

export const samplingShape = fields({
  enabled: flag,
  maxRequests: requests,
  maxRequestsPerMinute: requests,
  maxTokens: tokens,
  maxTokensPerMinute: tokens,
  maxTokensPerRequest: tokens,
});

/** What `type` may say; entry-kind.ts says what kind of server each stands for. */
export const ENTRY_TYPES = ['stdio', 'http', 'streamable-http', 'sse', 'ws', 'sdk'] as const;

export const entryShape = fields({
  type: knownWord(ENTRY_TYPES),
  command: notBlank,
  args: listOfText,
  env,
  cwd: notEmpty,
  envFile: notEmpty,
  url: notBlank,
  headers,
  headersHelper: notBlank,
  oauth: anyObject(
    'clientId',
    'clientSecret',
    'privateKey',
    'privateKeyAlgorithm',
    'clientMetadataUrl',
    'callbackPort',
    'authServerMetadataUrl',
    'issuer',
    'scopes',
    'account',
    'grant',
    'assertion',
    'dpop',
    'xaa',
  ),
  disabled: flag,
  timeout: milliseconds,
  connectTimeout: milliseconds,
  reconnect: reconnectShape,
  tools: toolsShape,
  permissions: permissionsShape,
  output: outputShape,
  required: flag,
  lifecycle: oneOf(['eager', 'lazy', 'keep-alive']),
  shared: flag,
  alwaysLoad: flag,
  parallel: flag,
  protocol: oneOf(['auto', 'legacy', 'modern']),
  sampling: samplingShape,
  roots: flag,
});

export type EntryFields = Shaped<typeof entryShape>;

/** An entry as a program states it; a name of its own, so that compilers say it in place of all fields. */
export interface WrittenEntry extends EntryFields {}

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
  permissions: '"permissions": { "deniedTools": ["delete_*"] }',
  output: '"output": { "maxCharacters": 50000 }',
  required: '"required": true',
  lifecycle: '"lifecycle": "lazy"',
  shared: '"shared": true',
  alwaysLoad: '"alwaysLoad": true',
  parallel: '"parallel": true',
  protocol: '"protocol": "auto"',
  sampling: '"sampling": { "enabled": true, "maxRequests": 50 }',
  roots: '"roots": false',
};
