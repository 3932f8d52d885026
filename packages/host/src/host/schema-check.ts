// The check that a schema of a tool's stands for, of what is sent or of what came back: a quick one where
// the schema is plain, as most are, else the general one, which is loaded when first needed. Without the quick one
// a call from the shell takes 13 % more processor time. Where the general one cannot be loaded, nothing is checked: the
// server has the last word anyway.

import type { JsonObject } from '@plugboard/base';
import type { ArgumentCheck } from './argument-issue.ts';
import type { generalCheck } from './general-check.ts';
import { plainCheck } from './plain-check.ts';

/** Checks are made on first use and live as long as the schema they were made from. */
const known = new WeakMap<JsonObject, ArgumentCheck>();

const checkNothing: ArgumentCheck = () => [];

type LoadGeneralCheck = () => Promise<{ readonly generalCheck: typeof generalCheck }>;

const loadGeneralCheck: LoadGeneralCheck = () => import('./general-check.ts');

/** The check for a schema: at once where that is possible, a promise the first time otherwise. */
export function schemaCheck(
  schema: JsonObject,
  load: LoadGeneralCheck = loadGeneralCheck,
): ArgumentCheck | Promise<ArgumentCheck> {
  const check = known.get(schema) ?? plainCheck(schema);
  if (check === undefined) return compile(schema, load);
  known.set(schema, check);
  return check;
}

async function compile(schema: JsonObject, load: LoadGeneralCheck): Promise<ArgumentCheck> {
  try {
    const general = await load();
    const check = await general.generalCheck(schema);
    known.set(schema, check);
    return check;
  } catch {
    // No file could be opened at that moment. Node remembers the failure, and calls must not keep failing.
    return checkNothing;
  }
}
