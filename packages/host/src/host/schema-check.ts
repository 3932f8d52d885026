// The check that a schema of a tool's stands for, of what is sent or of what came back: a quick one where
// the schema is plain, as most are, else the general one, which is loaded when first needed.

import type { JsonObject } from '@plugboard/base';
import type { ArgumentCheck } from './argument-issue.ts';
import { plainCheck } from './plain-check.ts';

/** Checks are made on first use and live as long as the schema they were made from. */
const known = new WeakMap<JsonObject, ArgumentCheck>();

/** The check for a schema: at once where that is possible, a promise the first time otherwise. */
export function schemaCheck(schema: JsonObject): ArgumentCheck | Promise<ArgumentCheck> {
  const check = known.get(schema) ?? plainCheck(schema);
  if (check === undefined) return compile(schema);
  known.set(schema, check);
  return check;
}

async function compile(schema: JsonObject): Promise<ArgumentCheck> {
  const { generalCheck } = await import('./general-check.ts');
  const check = await generalCheck(schema);
  known.set(schema, check);
  return check;
}
