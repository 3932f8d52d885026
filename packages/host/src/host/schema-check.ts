// Checks the arguments and the structured results of tools against their schemas: with a quick check if the schema is plain,
// as most are, or else the general check, which is loaded when first needed. Without the quick check a call from the shell
// takes 13 % more processor time. If the general check cannot be loaded, nothing is checked: the server checks the arguments
// anyway.

import {
  err,
  isObject,
  type Json,
  type JsonObject,
  ok,
  pointerTo,
  type Result,
} from '@plugboard/base';
import type { ArgumentCheck, ArgumentIssue } from './argument-issue.ts';
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

/**
 * Returns the arguments to send, or the mistakes in the given ones. Models write null for arguments that they mean to omit:
 * if the schema refuses the null and the argument is optional, it is omitted.
 */
export function checkArguments(
  given: JsonObject,
  check: ArgumentCheck,
): Result<JsonObject, readonly ArgumentIssue[]> {
  // The schema may not require an object, and a model may have written anything.
  if (!isObject(given)) return err(NO_OBJECT);
  const issues = check(given);
  if (issues.length === 0) return ok(given);
  const refused = new Set(issues.map(({ path }) => path));
  const kept = Object.entries(given).filter(
    ([key, value]) => value !== null || !refused.has(pointerTo(key)),
  );
  const meant = Object.fromEntries(kept);
  return check(meant).length === 0 ? ok(meant) : err(issues);
}

const NO_OBJECT: readonly ArgumentIssue[] = [{ path: '', message: 'must be object' }];

const MAX_PROBLEMS = 20;

/** How a structured result violates the tool's output schema. One that cannot be checked violates nothing. */
export async function structuredProblems(
  schema: JsonObject,
  value: Json,
): Promise<readonly ArgumentIssue[]> {
  if (schema['type'] === 'object' && !isObject(value)) return [NOT_AN_OBJECT];
  const check = await schemaCheck(schema);
  // The check accepts any value; only its type is limited to arguments.
  return check(value as JsonObject).slice(0, MAX_PROBLEMS);
}

const NOT_AN_OBJECT: ArgumentIssue = { path: '', message: 'must be object' };
