// Checks the arguments of a call. Models write null for arguments that they mean to omit: if the schema refuses
// the null and the argument is optional, it is omitted. Pure.

import { err, isObject, type JsonObject, ok, pointerTo, type Result } from '@plugboard/base';
import type { ArgumentCheck, ArgumentIssue } from './argument-issue.ts';

/** Returns the arguments to send, or the mistakes in the given ones. */
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
