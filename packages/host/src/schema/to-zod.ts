// A tool's schema as a Zod schema, made with the program's own Zod, so that this package does not depend on
// it. It accepts at least what the schema accepts and returns it unchanged: nothing is filled in or stripped.
// What Zod cannot check is left to the check before a call. Pure.

import type { JsonObject } from '@plugboard/base';
import { inlined } from './references.ts';
import { normalizeSchema } from './normalize-schema.ts';
import { inZodWords } from './zod-words.ts';

/** The part of `zod` that is used, from 4.2 on. */
export interface ZodModule<ZodSchema> {
  // Zod's own type for this parameter differs between versions; JSON Schema fits all of them.
  readonly fromJSONSchema: (schema: never) => ZodSchema;
}

export function toZod<ZodSchema>(z: ZodModule<ZodSchema>, schema: JsonObject): ZodSchema {
  return z.fromJSONSchema(inZodWords(inlined(normalizeSchema(schema))) as never);
}
