// The fields an entry may have and what each may hold. Which of them belong together, and what kind
// of server they make, is decided in read-entry.ts.

import { z } from 'zod';

const text = z.string({ error: 'must be text' });
const flag = z.boolean({ error: 'must be true or false' });
const listOfText = z.array(z.string({ error: 'must be text' }), {
  error: 'must be a list of texts',
});
const object = z.record(z.string(), z.unknown(), { error: 'must be an object' });

/** Timers count in 31 bits; a longer one would fire at once. */
const MAX_MILLISECONDS = 2_147_483_647;

const milliseconds = z
  .number({ error: 'must be a number of milliseconds' })
  .int({ error: 'must be a whole number of milliseconds' })
  .min(1, { error: 'must be at least 1 millisecond' })
  .max(MAX_MILLISECONDS, { error: `must be at most ${MAX_MILLISECONDS} milliseconds` });

const env = z.record(
  z.string().regex(/^[^=\0]+$/, { error: 'must have names without "=", and none empty' }),
  z.string({ error: 'must be text' }),
  { error: 'must be an object of texts' },
);

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must have names of HTTP headers' }),
  z.string({ error: 'must be text' }),
  { error: 'must be an object of texts' },
);

export const reconnectSchema = z.object(
  {
    maxAttempts: z
      .number({ error: 'must be a number' })
      .int({ error: 'must be a whole number' })
      .min(0, { error: 'must not be negative' })
      .optional(),
    delayMs: milliseconds.optional(),
  },
  { error: 'must be an object' },
);

export const toolsSchema = z.object(
  { include: listOfText.optional(), exclude: listOfText.optional() },
  { error: 'must be an object' },
);

export const fieldsSchema = z.object({
  type: text.optional(),
  command: text.regex(/\S/, { error: 'must not be empty' }).optional(),
  args: listOfText.optional(),
  env: env.optional(),
  cwd: text.min(1, { error: 'must not be empty' }).optional(),
  envFile: text.min(1, { error: 'must not be empty' }).optional(),
  url: text.regex(/\S/, { error: 'must not be empty' }).optional(),
  headers: headers.optional(),
  headersHelper: text.regex(/\S/, { error: 'must not be empty' }).optional(),
  oauth: object.optional(),
  disabled: flag.optional(),
  timeout: milliseconds.optional(),
  connectTimeout: milliseconds.optional(),
  reconnect: reconnectSchema.optional(),
  tools: toolsSchema.optional(),
  permissions: object.optional(),
  required: flag.optional(),
  lifecycle: z
    .enum(['eager', 'lazy', 'keep-alive'], { error: 'must be "eager", "lazy" or "keep-alive"' })
    .optional(),
  alwaysLoad: flag.optional(),
  protocol: z
    .enum(['auto', 'legacy', 'modern'], { error: 'must be "auto", "legacy" or "modern"' })
    .optional(),
});

export type EntryFields = z.infer<typeof fieldsSchema>;

export type FieldKey = keyof EntryFields;

export const FIELD_KEYS = Object.keys(fieldsSchema.shape) as readonly FieldKey[];

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
