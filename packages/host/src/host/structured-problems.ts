// Checks a structured result against the tool's output schema. Here both the schema and the value are from the
// server; the check is bounded in time, and a result that cannot be checked passes.

import { isObject, type Json, type JsonObject } from '@plugboard/base';
import { schemaCheck } from './schema-check.ts';
import type { ArgumentIssue } from './argument-issue.ts';

const MAX_PROBLEMS = 20;

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
