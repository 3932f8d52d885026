// A call that is saved together with the expected answer: the console saves it, `plugboard check` runs it. This file
// defines the format and checks answers. Pure.

import {
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  pointerKeys,
} from './json.ts';
import { err, ok, type Result } from './result.ts';

/** How a call can end. */
export type SavedOutcome = 'ok' | 'tool-error' | 'error' | 'denied';

export interface SavedCall {
  readonly name: string;
  readonly server: string;
  readonly what: SavedRequest;
  readonly expect: Expectation;
}

export type SavedRequest =
  | { readonly kind: 'tool' | 'prompt'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'resource'; readonly uri: string };

export interface Expectation {
  readonly outcome: SavedOutcome;
  /** In milliseconds. */
  readonly within: number | undefined;
  readonly values: readonly ValueCheck[];
}

/** A check of the value at a JSON pointer of the result. The pointer may lead into a text that is JSON. */
export type ValueCheck = { readonly at: string } & (
  | { readonly equals: Json }
  | { readonly contains: string }
  | { readonly type: JsonType }
  /** The number of items, characters or members. */
  | { readonly length: number }
  | { readonly exists: boolean }
);

const TYPES = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;
export type JsonType = (typeof TYPES)[number];

/** The answer to a call. */
export interface Answered {
  readonly outcome: SavedOutcome;
  readonly ms: number;
  readonly result: JsonObject | undefined;
}

/** A difference from the expectation. */
export type Deviation =
  | { readonly kind: 'outcome'; readonly expected: SavedOutcome; readonly found: SavedOutcome }
  | { readonly kind: 'slow'; readonly expected: number; readonly found: number }
  /** `found`: `undefined` if there is no value at that place. */
  | { readonly kind: 'value'; readonly check: ValueCheck; readonly found: Json | undefined };

export function deviations(expect: Expectation, answered: Answered): readonly Deviation[] {
  const { outcome, ms, result } = answered;
  const found: Deviation[] = [];
  if (outcome !== expect.outcome) {
    found.push({ kind: 'outcome', expected: expect.outcome, found: outcome });
  }
  if (expect.within !== undefined && ms > expect.within) {
    found.push({ kind: 'slow', expected: expect.within, found: ms });
  }
  for (const check of expect.values) {
    const value = valueAt(result, check.at);
    if (!holds(check, value)) found.push({ kind: 'value', check, found: value });
  }
  return found;
}

/** The outcome of a recorded call, in terms of a check. */
export function savedOutcome(state: SavedOutcome | 'running' | 'cancelled'): SavedOutcome {
  if (state === 'running') return 'ok';
  return state === 'cancelled' ? 'error' : state;
}

const LONGEST_SHOWN = 200;

/** Text for users. It contains unsanitized text from the server. */
export function deviationWords(deviation: Deviation): string {
  switch (deviation.kind) {
    case 'outcome':
      return `the outcome is ${deviation.found}, and not ${deviation.expected}`;
    case 'slow':
      return `it took ${deviation.found} ms, and not at most ${deviation.expected}`;
    case 'value': {
      const { check, found } = deviation;
      const place = check.at === '' ? 'the result' : check.at;
      const is = found === undefined ? 'is not there' : `is ${shown(found)}`;
      return `${place} ${is}; expected: ${expectedWords(check)}`;
    }
    default:
      return deviation satisfies never;
  }
}

function expectedWords(check: ValueCheck): string {
  if ('equals' in check) return shown(check.equals);
  if ('contains' in check) return `a text with ${shown(check.contains)}`;
  if ('type' in check) return `a value of type ${check.type}`;
  if ('length' in check) return `a length of ${check.length}`;
  return check.exists ? 'a value' : 'no value';
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function holds(check: ValueCheck, value: Json | undefined): boolean {
  if ('exists' in check) return (value !== undefined) === check.exists;
  if (value === undefined) return false;
  if ('equals' in check) return canonicalJson(value) === canonicalJson(check.equals);
  if ('contains' in check) return textOf(value).includes(check.contains);
  if ('type' in check) return typeOf(value) === check.type;
  return lengthOf(value) === check.length;
}

const BOUNDS = { maxLength: 4 * 1024 * 1024, maxDepth: 200 };

function valueAt(result: Json | undefined, pointer: string): Json | undefined {
  let value = result;
  for (const key of pointerKeys(pointer)) {
    if (typeof value === 'string') value = jsonIn(value);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    // A list has items, but not a `length`.
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as { readonly [key: string]: Json })[key];
  }
  return value;
}

function jsonIn(text: string): Json | undefined {
  const parsed = parseJson(text, BOUNDS);
  return parsed.ok ? parsed.value : undefined;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}

function lengthOf(value: Json): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** An error in a file, and its place. */
export interface SavedCallProblem {
  readonly at: string;
  readonly reason: string;
}

export function readSavedCalls(file: Json): Result<readonly SavedCall[], SavedCallProblem> {
  const checks = isObject(file) ? file['checks'] : undefined;
  if (!Array.isArray(checks)) return err({ at: '', reason: 'there is no list "checks" in it' });
  const calls: SavedCall[] = [];
  for (const [index, item] of (checks as readonly Json[]).entries()) {
    const read = readSavedCall(item);
    if (!read.ok) {
      return err({ at: `/checks/${index}${read.error.at}`, reason: read.error.reason });
    }
    const { name } = read.value;
    if (calls.some((call) => call.name === name)) {
      return err({ at: `/checks/${index}/name`, reason: `"${name}" is there twice` });
    }
    calls.push(read.value);
  }
  return ok(calls);
}

export function readSavedCall(item: Json): Result<SavedCall, SavedCallProblem> {
  if (!isObject(item)) return err({ at: '', reason: 'this is not an object' });
  const unknown = Object.keys(item).find((key) => !KEYS.has(key));
  if (unknown !== undefined) return err({ at: `/${unknown}`, reason: 'this is not known' });
  const { name, server, tool, prompt, resource, arguments: given, expect } = item;
  if (!isNonEmpty(name)) return err({ at: '/name', reason: 'a name is missing' });
  if (!isNonEmpty(server)) return err({ at: '/server', reason: 'the name of a server is missing' });
  const named = [tool, prompt, resource].filter((each) => each !== undefined);
  const [one] = named;
  if (named.length !== 1 || !isNonEmpty(one)) {
    return err({ at: '', reason: 'it needs one of "tool", "prompt" and "resource"' });
  }
  if (given !== undefined && !isObject(given)) {
    return err({ at: '/arguments', reason: 'arguments are an object' });
  }
  const kind = tool === undefined ? ('prompt' as const) : ('tool' as const);
  const what: SavedRequest =
    resource === undefined
      ? { kind, name: one, arguments: given ?? {} }
      : { kind: 'resource', uri: one };
  const read = readExpectation(expect ?? {});
  if (!read.ok) return err({ at: `/expect${read.error.at}`, reason: read.error.reason });
  return ok({ name, server, what, expect: read.value });
}

const KEYS: ReadonlySet<string> = new Set([
  ...['name', 'server', 'tool', 'prompt', 'resource', 'arguments', 'expect'],
]);
const OUTCOMES: readonly SavedOutcome[] = ['ok', 'tool-error', 'error', 'denied'];

export function readExpectation(expect: Json): Result<Expectation, SavedCallProblem> {
  if (!isObject(expect)) return err({ at: '', reason: 'this is not an object' });
  const { outcome = 'ok', within, values = [] } = expect;
  const known = OUTCOMES.find((each) => each === outcome);
  if (known === undefined) {
    return err({ at: '/outcome', reason: `it is one of: ${OUTCOMES.join(', ')}` });
  }
  if (within !== undefined && (typeof within !== 'number' || !(within > 0))) {
    return err({ at: '/within', reason: 'it is a number of milliseconds' });
  }
  if (!Array.isArray(values)) return err({ at: '/values', reason: 'it is a list' });
  const checks: ValueCheck[] = [];
  for (const [index, item] of (values as readonly Json[]).entries()) {
    const check = readValueCheck(item);
    if (check === undefined) return err({ at: `/values/${index}`, reason: CHECK_WORDS });
    checks.push(check);
  }
  return ok({ outcome: known, within, values: checks });
}

const CHECK_WORDS =
  'it has "at", a JSON pointer such as /content/0/text, and one of "equals", "contains", "type", "length" and "exists"';

function readValueCheck(item: Json): ValueCheck | undefined {
  if (!isObject(item) || Object.keys(item).length !== 2) return undefined;
  const { at, equals, contains, type, length, exists } = item as Readonly<Record<string, Json>>;
  if (typeof at !== 'string' || !/^(?:\/|$)/.test(at)) return undefined;
  if (equals !== undefined) return { at, equals };
  if (typeof contains === 'string') return { at, contains };
  if (typeof length === 'number') return { at, length };
  if (typeof exists === 'boolean') return { at, exists };
  const known = TYPES.find((each) => each === type);
  return known && { at, type: known };
}

function isNonEmpty(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The call in the format of the file. */
export function writeSavedCall({ name, server, what, expect }: SavedCall): JsonObject {
  const { outcome, within, values } = expect;
  return {
    name,
    server,
    ...(what.kind === 'resource'
      ? { resource: what.uri }
      : { [what.kind]: what.name, arguments: what.arguments }),
    expect: {
      outcome,
      ...(within === undefined ? {} : { within }),
      ...(values.length === 0 ? {} : { values: values as readonly JsonObject[] }),
    },
  };
}
