// Parses what a hook prints to stdout: nothing means continue; `{ "decision": "block", "reason": … }` means stop; a
// value under the key of the event replaces the original one. Anything else is a failure of the hook. Pure.

import { err, isObject, type Json, ok, parseJson, type Result } from '@plugboard/base';

/** What a hook may change. */
export type HookKey = 'arguments' | 'result' | 'answer';

export type HookAnswer =
  | { readonly kind: 'pass' }
  | { readonly kind: 'block'; readonly reason: string }
  | { readonly kind: 'rewrite'; readonly value: Json };

/** The maximum output of a hook, which may contain a large result. */
export const MAX_HOOK_OUTPUT = 64 * 1024 * 1024;
const MAX_DEPTH = 200;
const MAX_REASON = 2000;

const PASS: HookAnswer = { kind: 'pass' };

/** The error describes the problem in words. */
export function readHookAnswer(stdout: string, key: HookKey): Result<HookAnswer, string> {
  if (stdout.trim() === '') return ok(PASS);
  const parsed = parseJson(stdout, { maxLength: MAX_HOOK_OUTPUT, maxDepth: MAX_DEPTH });
  if (!parsed.ok) return err('printed something that is not JSON');
  const answer = parsed.value;
  if (!isObject(answer)) return err('printed JSON that is not an object');
  const { decision, reason } = answer;
  const stranger = Object.keys(answer).find((one) => !['decision', 'reason', key].includes(one));
  if (stranger !== undefined)
    return err(`printed a field that means nothing here: "${shortKey(stranger)}"`);
  if (reason !== undefined && typeof reason !== 'string') {
    return err('printed a "reason" that is not text');
  }
  if (decision === 'block') {
    return ok({ kind: 'block', reason: (reason ?? 'no reason given').slice(0, MAX_REASON) });
  }
  if (decision !== undefined && decision !== 'continue') {
    return err('printed a "decision" that is neither "block" nor "continue"');
  }
  const value = answer[key];
  return ok(value === undefined ? PASS : { kind: 'rewrite', value });
}

function shortKey(key: string): string {
  return key.length > 40 ? `${key.slice(0, 40)}…` : key;
}
