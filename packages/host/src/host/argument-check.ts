// Checks arguments against a tool's schema before anything is sent. The schema comes from the server
// and is hostile: one that is too large or does not compile checks nothing, and the server has the
// last word anyway.

import type { JsonObject } from '@plugboard/base';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

export interface ArgumentIssue {
  /** A JSON pointer into the arguments; empty for the arguments as a whole. */
  readonly path: string;
  readonly message: string;
}

export type ArgumentCheck = (given: JsonObject) => readonly ArgumentIssue[];

const MAX_SCHEMA_LENGTH = 256 * 1024;
const MAX_ISSUES = 20;
const NO_ISSUES: readonly ArgumentIssue[] = [];
const checkNothing: ArgumentCheck = () => NO_ISSUES;

/** Checks are compiled on first use and live as long as the schema they were made from. */
const compiled = new WeakMap<JsonObject, ArgumentCheck>();

/** The check for a schema: at once when it is known, a promise the first time. */
export function argumentCheck(schema: JsonObject): ArgumentCheck | Promise<ArgumentCheck> {
  return compiled.get(schema) ?? compile(schema);
}

async function compile(schema: JsonObject): Promise<ArgumentCheck> {
  const check =
    JSON.stringify(schema).length > MAX_SCHEMA_LENGTH ? checkNothing : await toCheck(schema);
  compiled.set(schema, check);
  return check;
}

async function toCheck(schema: JsonObject): Promise<ArgumentCheck> {
  const engine = await newEngine(schema);
  let validate: ValidateFunction;
  try {
    // An `$id` would be registered, and could answer for the schema of another server.
    const { $id: _, ...anonymous } = schema;
    validate = engine.compile(anonymous);
  } catch {
    return checkNothing;
  }
  return (given) => (validate(given) ? NO_ISSUES : (validate.errors ?? []).map(toIssue));
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
    logger: false,
  });
  addFormats.default(engine);
  return engine;
}

function toIssue({ instancePath, message, keyword, params }: ErrorObject): ArgumentIssue {
  const named =
    keyword === 'additionalProperties' ? `: ${String(params['additionalProperty'])}` : '';
  return { path: instancePath, message: `${message ?? keyword}${named}` };
}

export function firstIssues(issues: readonly ArgumentIssue[]): readonly ArgumentIssue[] {
  return issues.slice(0, MAX_ISSUES);
}
