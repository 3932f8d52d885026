// The fields that decide what is started or reached, with what, and as whom. If a project or a plugin states
// one of them, the server starts only after the user approved it, and the approval is bound to all of them.

import {
  fields,
  flag,
  flagOr,
  knownWord,
  listOf,
  listOfText,
  notBlank,
  notEmpty,
  oneOf,
  text,
  textOr,
  textsByName,
  wholeNumber,
} from '../text/index.ts';
import type { FieldRow } from './field-row.ts';
import { ALL_TRANSPORTS } from './transports.ts';

/** Also applies to headers that a command prints. https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** False for a value with a character that ends the header and could begin another one. */
export function isHeaderValue(value: string): boolean {
  return !/[\0\r\n]/.test(value);
}

/** The address to which the browser returns after a sign-in. */
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

/** In the order in which people write them. */
export const LAUNCH_FIELDS = {
  type: {
    shape: knownWord(ALL_TRANSPORTS.flatMap(({ types }) => types)),
    example: '"type": "http"',
    isTarget: true,
  },
  command: {
    shape: notBlank,
    example: '"command": "npx"',
    isTarget: true,
    of: 'stdio',
    absent: '',
    fills: 'secrets',
    shown: 'program',
  },
  args: {
    shape: listOfText,
    example: '"args": ["-y", "some-package"]',
    isTarget: true,
    of: 'stdio',
    absent: [],
    fills: 'secrets',
    shown: 'words',
  },
  env: {
    shape: textsByName({
      pattern: /^[^=\x00]+$/,
      words: 'must have names without "=", and none empty',
    }),
    example: '"env": { "NAME": "value" }',
    of: 'stdio',
    absent: {},
    fills: 'secrets',
    secret: true,
    shown: 'masked',
  },
  cwd: {
    shape: notEmpty,
    example: '"cwd": "./server"',
    of: 'stdio',
    // The helper starts in this folder.
    alsoWith: 'headersHelper',
    fills: 'secrets',
  },
  envFile: {
    shape: notEmpty,
    example: '"envFile": ".env"',
    of: 'stdio',
    // The file is read before secrets are available.
    fills: 'variables',
    secret: true,
  },
  url: {
    shape: notBlank,
    example: '"url": "https://example.com/mcp"',
    isTarget: true,
    of: 'remote',
    absent: '',
    fills: 'secrets',
    shown: 'url',
  },
  headers: {
    shape: textsByName({ pattern: HEADER_NAME, words: 'must have names of HTTP headers' }),
    example: '"headers": { "Authorization": "Bearer ${TOKEN}" }',
    of: 'remote',
    absent: {},
    fills: 'secrets',
    secret: true,
    shown: 'masked',
  },
  headersHelper: {
    shape: notBlank,
    example: '"headersHelper": "print-headers"',
    of: 'remote',
    secret: true,
    shown: 'line',
  },
  oauth: {
    shape: oauthShape,
    example: '"oauth": { "clientId": "some-client", "scopes": ["read"], "callbackPort": 8123 }',
    of: 'remote',
    fills: 'secrets',
    secret: ['clientSecret', 'privateKey', 'assertion', 'xaa.clientSecret', 'xaa.idToken'],
    shown: 'options',
  },
} as const satisfies Readonly<Record<string, FieldRow>>;
