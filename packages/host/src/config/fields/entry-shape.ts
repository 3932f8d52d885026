// The fields an entry may have: one row each, with what it may hold, how it is written and what it is part of. What is
// known of a field elsewhere is derived from its row, but for its words (field-words.ts), which no command loads, and
// its rule where several sources state it (slot-rule.ts). Which fields belong together is decided in compose-entry.ts.

import {
  type AnyShape,
  fields,
  flag,
  flagOr,
  knownWord,
  listOf,
  listOfText,
  mapOf,
  oneOf,
  type ShapeValue,
  text,
  textOr,
  textsByName,
  wholeNumber,
} from '../text/index.ts';
import { HEADER_NAME } from './header-rule.ts';

/** Timers count in 31 bits; a longer one would fire at once. */
const MAX_MILLISECONDS = 2_147_483_647;

export const milliseconds = wholeNumber({ min: 1, max: MAX_MILLISECONDS, unit: 'milliseconds' });

/** What is done again and again must leave time for something else. */
const unhurried = wholeNumber({ min: 1000, max: MAX_MILLISECONDS, unit: 'milliseconds' });

export const notEmpty = text({ pattern: /[\s\S]/, words: 'must not be empty' });
export const notBlank = text({ pattern: /\S/, words: 'must not be empty' });

const env = textsByName({
  pattern: /^[^=\x00]+$/,
  words: 'must have names without "=", and none empty',
});

export const headers = textsByName({
  pattern: HEADER_NAME,
  words: 'must have names of HTTP headers',
});

const reconnectShape = fields({
  maxAttempts: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, unit: '' }),
  delayMs: milliseconds,
  maxDelayMs: milliseconds,
});

const toolsShape = fields({ include: listOfText, exclude: listOfText });

/** What happens to a call that would complete a flow from private data and foreign text to the outside. */
export const FLOW_MODES = ['off', 'ask', 'deny'] as const;

const FLOW_LABELS = ['private', 'foreign', 'out'] as const;

const permissionsShape = fields({
  allowedTools: listOfText,
  deniedTools: listOfText,
  allowedResources: listOfText,
  readPermission: oneOf(['allow', 'ask', 'deny']),
  writePermission: oneOf(['allow', 'ask', 'deny']),
  flow: oneOf(FLOW_MODES),
  labels: mapOf(listOf(oneOf(FLOW_LABELS), { words: 'must be a list of labels' }), {
    names: { pattern: /\S/, words: 'must have names or patterns of tools' },
    words: 'must be an object of tools and their labels',
  }),
});

/** Less would not hold a note about what is missing; more is no limit. */
const resultLimits = {
  maxCharacters: wholeNumber({ min: 1000, max: 100_000_000, unit: 'characters' }),
  maxTokens: wholeNumber({ min: 500, max: 100_000_000, unit: 'tokens' }),
};

const resultLimitsShape = fields(resultLimits);

const outputShape = fields({
  ...resultLimits,
  tools: mapOf(resultLimitsShape, {
    names: { pattern: /\S/, words: 'must have names of tools' },
    words: 'must be an object of tools',
  }),
});

const requests = wholeNumber({ min: 1, max: 1_000_000, unit: 'requests' });
const tokens = wholeNumber({ min: 1, max: 1_000_000_000, unit: 'tokens' });

const samplingShape = fields({
  enabled: flag,
  maxRequests: requests,
  maxRequestsPerMinute: requests,
  maxTokens: tokens,
  maxTokensPerMinute: tokens,
  maxTokensPerRequest: tokens,
});

/** Where the browser comes back to after a sign-in. */
export const callbackShapes = {
  callbackPort: wholeNumber({ min: 1, max: 65_535, unit: '' }),
  callbackHost: oneOf(['127.0.0.1', 'localhost']),
};

/** An identity provider that one entry names for itself. */
const crossAppShape = fields({
  issuer: notBlank,
  tokenEndpoint: notBlank,
  clientId: notBlank,
  clientSecret: notEmpty,
  idToken: notEmpty,
  ...callbackShapes,
});

const oauthShape = fields({
  clientId: notBlank,
  clientSecret: notEmpty,
  privateKey: notEmpty,
  privateKeyAlgorithm: notBlank,
  clientMetadataUrl: notBlank,
  ...callbackShapes,
  authServerMetadataUrl: notBlank,
  issuer: notBlank,
  scopes: textOr(text(), listOf(text(), { words: 'must be text or a list of texts' })),
  account: notBlank,
  grant: oneOf(['authorization_code', 'client_credentials', 'jwt-bearer']),
  assertion: notEmpty,
  dpop: flag,
  xaa: flagOr(crossAppShape),
});

/** What `type` may say; entry-kind.ts says what kind of server each stands for. */
export const ENTRY_TYPES = ['stdio', 'http', 'streamable-http', 'sse', 'ws', 'sdk'] as const;

export interface FieldRow {
  readonly shape: AnyShape;
  /** How it is written, for suggestions. */
  readonly example: string;
  /**
   * `target`: what is started or reached, which only makes sense together. `launch`: what else that takes, and as whom;
   * both need the user's approval where a project states them. `conduct`: how a server is used that may start anyway;
   * what a project says of `sampling` and `roots` only takes away (own-grants.ts).
   */
  readonly part: 'target' | 'launch' | 'conduct';
  /** The only kind of server that it has an effect on. */
  readonly of?: 'stdio' | 'remote';
}

/** In the order in which people write them. */
export const ENTRY_FIELDS = {
  type: { shape: knownWord(ENTRY_TYPES), example: '"type": "http"', part: 'target' },
  command: { shape: notBlank, example: '"command": "npx"', part: 'target', of: 'stdio' },
  args: {
    shape: listOfText,
    example: '"args": ["-y", "some-package"]',
    part: 'target',
    of: 'stdio',
  },
  env: { shape: env, example: '"env": { "NAME": "value" }', part: 'launch', of: 'stdio' },
  cwd: { shape: notEmpty, example: '"cwd": "./server"', part: 'launch', of: 'stdio' },
  envFile: { shape: notEmpty, example: '"envFile": ".env"', part: 'launch', of: 'stdio' },
  url: {
    shape: notBlank,
    example: '"url": "https://example.com/mcp"',
    part: 'target',
    of: 'remote',
  },
  headers: {
    shape: headers,
    example: '"headers": { "Authorization": "Bearer ${TOKEN}" }',
    part: 'launch',
    of: 'remote',
  },
  headersHelper: {
    shape: notBlank,
    example: '"headersHelper": "print-headers"',
    part: 'launch',
    of: 'remote',
  },
  oauth: {
    shape: oauthShape,
    example: '"oauth": { "clientId": "some-client", "scopes": ["read"], "callbackPort": 8123 }',
    part: 'launch',
    of: 'remote',
  },
  disabled: { shape: flag, example: '"disabled": true', part: 'conduct' },
  timeout: { shape: milliseconds, example: '"timeout": 60000', part: 'conduct' },
  hardTimeout: { shape: milliseconds, example: '"hardTimeout": 3600000', part: 'conduct' },
  connectTimeout: { shape: milliseconds, example: '"connectTimeout": 30000', part: 'conduct' },
  listTimeout: { shape: milliseconds, example: '"listTimeout": 15000', part: 'conduct' },
  idleTimeout: {
    shape: unhurried,
    example: '"idleTimeout": 600000',
    part: 'conduct',
    of: 'stdio',
  },
  heartbeat: { shape: unhurried, example: '"heartbeat": 30000', part: 'conduct' },
  reconnect: {
    shape: reconnectShape,
    example: '"reconnect": { "maxAttempts": 5, "delayMs": 1000 }',
    part: 'conduct',
  },
  tools: {
    shape: toolsShape,
    example: '"tools": { "include": ["search_*"], "exclude": ["delete_*"] }',
    part: 'conduct',
  },
  permissions: {
    shape: permissionsShape,
    example: '"permissions": { "deniedTools": ["delete_*"] }',
    part: 'conduct',
  },
  output: {
    shape: outputShape,
    example: '"output": { "maxCharacters": 50000 }',
    part: 'conduct',
  },
  required: { shape: flag, example: '"required": true', part: 'conduct' },
  lifecycle: {
    shape: oneOf(['eager', 'lazy', 'keep-alive']),
    example: '"lifecycle": "lazy"',
    part: 'conduct',
  },
  shared: { shape: flag, example: '"shared": true', part: 'conduct', of: 'stdio' },
  alwaysLoad: { shape: flag, example: '"alwaysLoad": true', part: 'conduct' },
  parallel: { shape: flag, example: '"parallel": true', part: 'conduct' },
  protocol: {
    shape: oneOf(['auto', 'legacy', 'modern']),
    example: '"protocol": "auto"',
    part: 'conduct',
  },
  sampling: {
    shape: samplingShape,
    example: '"sampling": { "enabled": true, "maxRequests": 50 }',
    part: 'conduct',
  },
  roots: { shape: flag, example: '"roots": false', part: 'conduct' },
} as const satisfies Readonly<Record<string, FieldRow>>;

type Rows = typeof ENTRY_FIELDS;

export type FieldKey = keyof Rows;

/** The fields of a row's part. */
export type FieldOf<Part extends FieldRow['part']> = {
  [Key in FieldKey]: Rows[Key]['part'] extends Part ? Key : never;
}[FieldKey];

// The keys are those of the table.
export const FIELD_KEYS = Object.keys(ENTRY_FIELDS) as readonly FieldKey[];

export function isFieldKey(key: unknown): key is FieldKey {
  return typeof key === 'string' && Object.hasOwn(ENTRY_FIELDS, key);
}

/** The fields whose rows are so. */
export function fieldsWhere(isSo: (row: FieldRow) => boolean): readonly FieldKey[] {
  return FIELD_KEYS.filter((key) => isSo(ENTRY_FIELDS[key]));
}

export const entryShape = fields(shapesOf());

function shapesOf(): { readonly [Key in FieldKey]: Rows[Key]['shape'] } {
  const shapes = FIELD_KEYS.map((key) => [key, ENTRY_FIELDS[key].shape] as const);
  // Each key has the shape of its row.
  return Object.fromEntries(shapes) as { readonly [Key in FieldKey]: Rows[Key]['shape'] };
}

export type EntryFields = ShapeValue<typeof entryShape>;

/** An entry as a program states it; a name of its own, so that compilers say it in place of all fields. */
export interface WrittenEntry extends EntryFields {}
