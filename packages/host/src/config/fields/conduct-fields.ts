// The fields that decide how a running server is used. A project may state them without an approval; its values of
// `sampling` and `roots` can only restrict (admission/own-grants.ts).

import {
  fields,
  flag,
  listOf,
  listOfText,
  mapOf,
  milliseconds,
  millisecondsFrom,
  oneOf,
  textOr,
  wholeNumber,
} from '../text/index.ts';
import type { FieldRow } from './field-row.ts';

/** For repeated actions, which must leave time for other work. */
const unhurried = millisecondsFrom(1000);

const reconnectShape = fields({
  maxAttempts: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, unit: '' }),
  delayMs: milliseconds,
  maxDelayMs: milliseconds,
});

const toolsShape = fields({ include: listOfText, exclude: listOfText });

/** What to do with a call that would complete a flow from private data and foreign text to the outside. */
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

/** A lower limit has no room for a note about the missing part; a higher one is no limit. */
const resultLimits = {
  maxCharacters: wholeNumber({ min: 1000, max: 100_000_000, unit: 'characters' }),
  maxTokens: wholeNumber({ min: 500, max: 100_000_000, unit: 'tokens' }),
};

const outputShape = fields({
  ...resultLimits,
  tools: mapOf(fields(resultLimits), {
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

/** In the order in which people write them. */
export const CONDUCT_FIELDS = {
  disabled: { shape: flag, example: '"disabled": true', absent: false },
  timeout: { shape: milliseconds, example: '"timeout": 60000' },
  hardTimeout: { shape: milliseconds, example: '"hardTimeout": 3600000' },
  connectTimeout: { shape: milliseconds, example: '"connectTimeout": 30000' },
  listTimeout: { shape: milliseconds, example: '"listTimeout": 15000' },
  idleTimeout: { shape: unhurried, example: '"idleTimeout": 600000', of: 'stdio' },
  heartbeat: {
    shape: textOr(oneOf(['off'], 'a number of milliseconds'), unhurried),
    example: '"heartbeat": 30000',
  },
  reconnect: {
    shape: reconnectShape,
    example: '"reconnect": { "maxAttempts": 5, "delayMs": 1000 }',
  },
  // All sources together limit a server: no source can lift the limit of another one.
  tools: {
    shape: toolsShape,
    example: '"tools": { "include": ["search_*"], "exclude": ["delete_*"] }',
    merge: { include: 'all', exclude: 'unite' },
  },
  permissions: {
    shape: permissionsShape,
    example: '"permissions": { "deniedTools": ["delete_*"] }',
    merge: {
      allowedTools: 'all',
      deniedTools: 'unite',
      allowedResources: 'all',
      readPermission: 'strictest',
      writePermission: 'strictest',
      flow: 'strictest',
      labels: 'all',
    },
  },
  output: { shape: outputShape, example: '"output": { "maxCharacters": 50000 }' },
  required: { shape: flag, example: '"required": true', absent: false },
  lifecycle: { shape: oneOf(['eager', 'lazy', 'keep-alive']), example: '"lifecycle": "lazy"' },
  shared: { shape: flag, example: '"shared": true', of: 'stdio' },
  alwaysLoad: { shape: flag, example: '"alwaysLoad": true', absent: false },
  parallel: { shape: flag, example: '"parallel": true' },
  protocol: { shape: oneOf(['auto', 'legacy', 'modern']), example: '"protocol": "auto"' },
  sampling: {
    shape: samplingShape,
    example: '"sampling": { "enabled": true, "maxRequests": 50 }',
    merge: 'least',
  },
  roots: { shape: flag, example: '"roots": false', merge: 'least' },
} as const satisfies Readonly<Record<string, FieldRow>>;
