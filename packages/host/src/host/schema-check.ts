// Provides the check for a tool's input or output schema: a quick check if the schema is plain, as most are, or else the
// general check, which is loaded when first needed. Without the quick check a call from the shell takes 13 % more processor
// time. If the general check cannot be loaded, nothing is checked: the server checks the arguments anyway.

import type { JsonObject } from '@plugboard/base';
import type { ArgumentCheck } from './argument-issue.ts';
import type { generalCheck } from './general-check.ts';
import { plainCheck } from './plain-check.ts';

/** Checks are created at their first use and live as long as their schema. */
const known = new WeakMap<JsonObject, ArgumentCheck>();

const checkNothing: ArgumentCheck = () => [];

type LoadGeneralCheck = () => Promise<{ readonly generalCheck: typeof generalCheck }>;

const loadGeneralCheck: LoadGeneralCheck = () => import('./general-check.ts');

/** Returns the check for a schema; a promise if the general check has to be compiled first. */
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
    // The module could not be opened. Node remembers the failure, and calls must not keep failing.
    return checkNothing;
  }
}
