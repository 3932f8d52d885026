// Checks arguments against the schemas that most tools have: an object of named properties with
// simple types. For these no validator needs to be loaded and compiled, which would take longer than the
// first call itself. All other schemas are left to the general check; the two agree on every plain
// schema.

import { isObject, type JsonObject, pointerTo } from '@plugboard/base';
import { type ArgumentCheck, type ArgumentIssue, notAllowed } from './argument-issue.ts';

/** The check, or `undefined` if the schema is not plain. */
export function plainCheck(schema: JsonObject): ArgumentCheck | undefined {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  if (!hasOnly(schema, OBJECT_KEYWORDS) || schema['type'] !== 'object') return undefined;
  if (!isObject(properties) || !isListOfText(required)) return undefined;
  if (typeof additionalProperties !== 'boolean') return undefined;
  const values = new Map<string, ValueCheck>();
  for (const [key, property] of Object.entries(properties)) {
    const check = valueCheck(property);
    if (check === undefined) return undefined;
    values.set(key, check);
  }
  const missing = [...new Set(required)];
  return (given) => {
    const issues: ArgumentIssue[] = [];
    addMissing(issues, missing, given);
    if (!additionalProperties) addAdditional(issues, values, given);
    addWrongValues(issues, values, given);
    return issues;
  };
}

/** Keywords that do not affect validity. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples', '$comment'];
const OBJECT_KEYWORDS = new Set([
  ...ANNOTATIONS,
  '$schema',
  'type',
  'properties',
  'required',
  'additionalProperties',
]);
const VALUE_KEYWORDS = new Set([...ANNOTATIONS, 'type', 'enum']);

function hasOnly(schema: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): boolean {
  return Object.keys(schema).every((key) => known.has(key));
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Returns the mistakes in a value, in words. */
type ValueCheck = (value: unknown) => readonly string[];

const NOTHING_WRONG: readonly string[] = [];

function valueCheck(schema: unknown): ValueCheck | undefined {
  if (!isObject(schema) || !hasOnly(schema, VALUE_KEYWORDS)) return undefined;
  const types = schema['type'] === undefined ? [] : [schema['type']].flat();
  const allowed = schema['enum'];
  if (!types.every(isTypeName) || !isSimpleEnum(allowed)) return undefined;
  const isOfType = (value: unknown): boolean =>
    types.length === 0 || types.some((type) => TYPE_TESTS[type](value));
  const isAllowed = (value: unknown): boolean => allowed === undefined || allowed.includes(value);
  return (value) => {
    const isRight = isOfType(value);
    const isOneOf = isAllowed(value);
    if (isRight && isOneOf) return NOTHING_WRONG;
    return [
      ...(isRight ? [] : [`must be ${types.join(',')}`]),
      ...(isOneOf || allowed === undefined ? [] : [notAllowed(allowed)]),
    ];
  };
}

const TYPE_TESTS = {
  string: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => Number.isFinite(value),
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  null: (value: unknown) => value === null,
  array: (value: unknown) => Array.isArray(value),
  object: (value: unknown) => isObject(value),
};

function isTypeName(name: unknown): name is keyof typeof TYPE_TESTS {
  return typeof name === 'string' && Object.hasOwn(TYPE_TESTS, name);
}

/** Whether an enum has no lists or objects, which would have to be compared deeply. */
function isSimpleEnum(allowed: unknown): allowed is readonly unknown[] | undefined {
  if (allowed === undefined) return true;
  return Array.isArray(allowed) && allowed.length > 0 && !allowed.some(isStructure);
}

function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function addMissing(issues: ArgumentIssue[], required: readonly string[], given: JsonObject): void {
  for (const key of required) {
    if (Object.hasOwn(given, key)) continue;
    issues.push({ path: '', message: `must have required property '${key}'` });
  }
}

function addAdditional(
  issues: ArgumentIssue[],
  known: ReadonlyMap<string, unknown>,
  given: JsonObject,
): void {
  for (const key of Object.keys(given)) {
    if (known.has(key)) continue;
    issues.push({ path: '', message: `must NOT have additional properties: ${key}` });
  }
}

function addWrongValues(
  issues: ArgumentIssue[],
  values: ReadonlyMap<string, ValueCheck>,
  given: JsonObject,
): void {
  for (const [key, check] of values) {
    if (!Object.hasOwn(given, key)) continue;
    for (const message of check(given[key])) issues.push({ path: pointerTo(key), message });
  }
}
