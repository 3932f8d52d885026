// Holds arguments against a tool's check. Models write null for what they mean to leave out: where
// the schema refuses the null and does without the argument, it is left out. Pure.

import { err, isObject, type JsonObject, ok, pointerTo, type Result } from '@plugboard/base';
import type { ArgumentCheck, ArgumentIssue } from './argument-issue.ts';

/** The arguments to send, or what is wrong with those that were given. */
export function checkArguments(
  given: JsonObject,
  check: ArgumentCheck,
): Result<JsonObject, readonly ArgumentIssue[]> {
  // A schema may say nothing about it, and a model's words may have been read as anything.
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
