// Checks a value against any JSON Schema. The schema comes from the server and is hostile, and so may be the value:
// together they can keep a check busy for years. If a schema is too large, does not compile, or contains an expression
// that could take long, nothing is checked; a check that takes too long finds nothing. The server checks the arguments
// anyway.

import { isObject, type JsonObject } from '@plugboard/base';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { type ArgumentCheck, type ArgumentIssue, notAllowed } from './argument-issue.ts';
import { isTamePattern, MAX_MATCHED_LENGTH } from '../schema/index.ts';
import { withTimeout } from './with-timeout.ts';

const MAX_SCHEMA_LENGTH = 256 * 1024;
const MAX_ISSUES = 20;
const MAX_COMPILE_MS = 2000;
const MAX_CHECK_MS = 250;
const NO_ISSUES: readonly ArgumentIssue[] = [];
const checkNothing: ArgumentCheck = () => NO_ISSUES;

export async function generalCheck(schema: JsonObject): Promise<ArgumentCheck> {
  return isCheckable(schema) ? toCheck(schema) : checkNothing;
}

function isCheckable(schema: JsonObject): boolean {
  return (
    JSON.stringify(schema).length <= MAX_SCHEMA_LENGTH && patternsOf(schema).every(isTamePattern)
  );
}

/** Every regular expression in a schema, and some texts that are not: too many are safe. */
function patternsOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(patternsOf);
  if (!isObject(node)) return [];
  const { pattern, patternProperties } = node;
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isObject(patternProperties) ? Object.keys(patternProperties) : []),
    ...Object.values(node).flatMap(patternsOf),
  ];
}

async function toCheck(schema: JsonObject): Promise<ArgumentCheck> {
  const engine = await newEngine(schema);
  const validate = compiled(engine, schema);
  if (validate === undefined) return checkNothing;
  const check: ArgumentCheck = (given) =>
    validate(given) ? NO_ISSUES : (validate.errors ?? []).slice(0, MAX_ISSUES).map(toIssue);
  const within: ArgumentCheck = (given) =>
    withTimeout(() => check(given), MAX_CHECK_MS)?.value ?? NO_ISSUES;
  const text = JSON.stringify(schema);
  if (MULTIPLYING.test(text)) return within;
  if (!SLOW.test(text)) return check;
  // Limiting the time costs more than checking what a model usually sends.
  return (given) => (isSmall(given) ? check(given) : within(given));
}

function compiled(
  engine: Pick<Ajv2020, 'compile'>,
  schema: JsonObject,
): ValidateFunction | undefined {
  // An `$id` would be registered, and could answer for the schema of another server.
  const { $id: _, ...anonymous } = schema;
  try {
    return withTimeout(() => engine.compile(anonymous), MAX_COMPILE_MS)?.value;
  } catch {
    // The schema is invalid, or has an unresolvable reference.
    return undefined;
  }
}

/** A self-reference can double the work with every level; comparing all items takes quadratic time. */
const MULTIPLYING = /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;

/** Keywords whose checks take time in proportion to the size of the value times that of the schema. */
const SLOW =
  /"(?:pattern|patternProperties|anyOf|oneOf|allOf|not|if|contains|format|unevaluated\w+|enum|const)"/;

const SMALL = 1000;

/** Whether a value has few items and short texts. Stops as soon as it is known to be larger. */
function isSmall(value: unknown): boolean {
  let left = SMALL;
  const fits = (node: unknown): boolean => {
    left -= typeof node === 'string' ? 1 + node.length / 16 : 1;
    if (left < 0) return false;
    if (Array.isArray(node)) return node.length <= left && node.every(fits);
    return !isObject(node) || Object.values(node).every(fits);
  };
  return fits(value);
}

/** An engine per schema: nothing that one schema defines is visible to another. */
async function newEngine(schema: JsonObject): Promise<Pick<Ajv2020, 'compile'>> {
  const { $schema } = schema;
  const isOld = typeof $schema === 'string' && /draft-0[467]/.test($schema);
  const [{ default: ajv }, { default: addFormats }] = await Promise.all([
    isOld ? import('ajv') : import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const engine = new ajv.default({
    strict: false,
    validateSchema: false,
    allErrors: true,
    // Otherwise inherited members such as `constructor` would be found in every object.
    ownProperties: true,
    logger: false,
    code: { regExp: boundedRegExp },
  });
  addFormats.default(engine, { mode: 'fast' });
  return engine;
}

/** Even a tame expression takes long on a very long text. */
function boundedRegExp(pattern: string, flags: string): Pick<RegExp, 'test'> {
  const expression = new RegExp(pattern, flags);
  return { test: (text) => text.length > MAX_MATCHED_LENGTH || expression.test(text) };
}
// Ajv requires a name by which generated code would import it, but this code is never written to a file.
boundedRegExp.code = 'boundedRegExp';

function toIssue({ instancePath, message, keyword, params }: ErrorObject): ArgumentIssue {
  const { additionalProperty, allowedValues, allowedValue } = params as Record<string, unknown>;
  const allowed = keyword === 'const' ? [allowedValue] : allowedValues;
  if (Array.isArray(allowed)) return { path: instancePath, message: notAllowed(allowed) };
  const named = keyword === 'additionalProperties' ? `: ${String(additionalProperty)}` : '';
  return { path: instancePath, message: `${message ?? keyword}${named}` };
}
