// JSON from outside: bounded in size and depth before it is parsed.

import { err, ok, type Result } from './result.ts';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

export interface JsonLimits {
  /** Length of the text in UTF-16 units. */
  readonly maxLength: number;
  readonly maxDepth: number;
}

export type JsonProblem =
  | { readonly kind: 'too-long'; readonly length: number; readonly limit: number }
  | { readonly kind: 'too-deep'; readonly limit: number }
  | { readonly kind: 'invalid'; readonly message: string };

/** Parses JSON no longer and no deeper than allowed. Never throws. */
export function parseJson(text: string, limits: JsonLimits): Result<Json, JsonProblem> {
  if (text.length > limits.maxLength) {
    return err({ kind: 'too-long', length: text.length, limit: limits.maxLength });
  }
  // A text needs at least one character per level, so most texts need no look at all.
  if (text.length > limits.maxDepth && isDeeperThan(text, limits.maxDepth)) {
    return err({ kind: 'too-deep', limit: limits.maxDepth });
  }
  try {
    return ok(JSON.parse(text) as Json);
  } catch (cause) {
    return err({
      kind: 'invalid',
      message: cause instanceof Error ? cause.message : String(cause),
    });
  }
}

/** True for `{…}`: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Depth is counted on the text: `JSON.parse` builds the value before anyone could measure it, and
 * code that walks a value of a million levels overflows the stack.
 */
function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      index = endOfString(text, index);
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return false;
}

/** Index of the closing quote of the string that opens at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === BACKSLASH) index += 1;
    else if (unit === QUOTE) return index;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
