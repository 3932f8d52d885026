// In what a structured result differs from the tool's output schema. Here the schema and the value are both
// from the server, and both hostile: together they can keep a check busy for years, so it is ended after a
// moment, and a result that could not be checked in that time passes.

import { isObject, type Json, type JsonObject } from '@plugboard/base';
import { runInNewContext } from 'node:vm';
import { argumentCheck } from './argument-check.ts';
import type { ArgumentCheck, ArgumentIssue } from './argument-issue.ts';

const MAX_MS = 250;
const MAX_PROBLEMS = 20;

export async function structuredProblems(
  schema: JsonObject,
  value: Json,
): Promise<readonly ArgumentIssue[]> {
  if (schema['type'] === 'object' && !isObject(value)) return [NOT_AN_OBJECT];
  const check = await argumentCheck(schema);
  return isSimple(schema) ? problemsBy(check, value) : withinTime(() => problemsBy(check, value));
}

const NOT_AN_OBJECT: ArgumentIssue = { path: '', message: 'must be object' };

/** What can take longer than the value is long: what refers to itself, repeats, compares or matches. */
const SLOW =
  /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems|pattern|patternProperties|anyOf|oneOf|allOf|not|if|contains|format|unevaluated\w+|enum|const)"/;

/** Looked at once for each schema. */
const simple = new WeakMap<JsonObject, boolean>();

function isSimple(schema: JsonObject): boolean {
  const isKnown = simple.get(schema) ?? !SLOW.test(JSON.stringify(schema));
  simple.set(schema, isKnown);
  return isKnown;
}

function problemsBy(check: ArgumentCheck, value: Json): readonly ArgumentIssue[] {
  // The check takes any value; only its type speaks of arguments.
  return check(value as JsonObject).slice(0, MAX_PROBLEMS);
}

/** The time limit of a context holds for whatever it calls, also outside of it. */
function withinTime(task: () => readonly ArgumentIssue[]): readonly ArgumentIssue[] {
  let found: readonly ArgumentIssue[] = [];
  const run = (): void => {
    found = task();
  };
  try {
    runInNewContext('run()', { run }, { timeout: MAX_MS });
  } catch {
    // Out of time, or too deep for the check: nothing is known to be wrong.
  }
  return found;
}
