// The initial value of a form: defaults, constants and required objects. Also guesses which variant a value belongs to. Both
// are bounded, since a schema may be recursive or deliberately slow. Pure.

import { isObject, type Json, type JsonObject } from '@plugboard/base';
import { isOfType, ownProblem } from './check-leaf.ts';
import type { SchemaDocument, SchemaNode } from './schema-node.ts';

const MOST_DEPTH = 12;

/** `undefined` if the user has to fill in the value. */
export function initialValue(document: SchemaDocument, schema: Json, depth = 0): Json | undefined {
  const node = document.read(schema);
  if (node.default !== undefined) return node.default;
  if (node.values?.length === 1) return node.values[0];
  if (node.isImpossible || node.isNullable || depth >= MOST_DEPTH) return undefined;
  const [variant] = node.variants;
  if (variant !== undefined) return initialValue(document, variant, depth + 1);
  const [type] = node.types;
  if (node.types.length !== 1) return undefined;
  if (type === 'object') return initialObject(document, node, depth);
  if (type === 'array') return initialList(document, node, depth);
  return type === 'boolean' ? false : undefined;
}

function initialObject(document: SchemaDocument, node: SchemaNode, depth: number): JsonObject {
  const entries: (readonly [string, Json])[] = [];
  for (const [name, schema] of node.properties) {
    const value = node.required.has(name)
      ? initialValue(document, schema, depth + 1)
      : document.read(schema).default;
    if (value !== undefined) entries.push([name, value]);
    if (entries.length >= 500) break;
  }
  return Object.fromEntries(entries);
}

/** As many items as the schema requires. */
function initialList(document: SchemaDocument, node: SchemaNode, depth: number): readonly Json[] {
  const count = Math.min(node.bounds.minItems ?? 0, 10);
  const items: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    const schema = node.prefixItems[index] ?? node.items;
    items.push(initialValue(document, schema, depth + 1) ?? blank(document.read(schema)));
  }
  return items;
}

/** The emptiest value of a type: list items need a value, even without a default. */
export function blank(node: SchemaNode): Json {
  const [first] = node.values ?? [];
  if (first !== undefined) return first;
  switch (node.types[0]) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return node.bounds.minimum ?? 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    case 'null':
    case undefined:
      return node.variants.length > 0 || node.isNullable ? null : '';
    default:
      return node.types[0] satisfies never;
  }
}

/** The first of the variants with the fewest faults in a value. */
export function likeliestVariant(
  document: SchemaDocument,
  variants: readonly Json[],
  value: Json | undefined,
): number {
  if (value === undefined) return 0;
  const budget = { left: 2000 };
  const faults = variants.map((variant) =>
    faultsIn(document, document.read(variant), { value, budget, depth: 0 }),
  );
  return Math.max(0, faults.indexOf(Math.min(...faults)));
}

interface FaultSearch {
  readonly value: Json;
  readonly budget: { left: number };
  readonly depth: number;
}

function faultsIn(document: SchemaDocument, node: SchemaNode, search: FaultSearch): number {
  const { value, budget, depth } = search;
  budget.left -= 1;
  if (budget.left <= 0 || depth > 4) return 0;
  // A wrong type is worse than any number of wrong parts.
  if (!isOfType(value, node.types) && !(value === null && node.isNullable)) return 1000;
  let faults = ownProblem(node, value) === undefined ? 0 : 10;
  if (node.variants.length > 0) {
    const each = node.variants.map((variant) =>
      faultsIn(document, document.read(variant), { value, budget, depth: depth + 1 }),
    );
    return faults + Math.min(...each);
  }
  if (!isObject(value)) return faults;
  const fields = value;
  for (const name of node.required) if (!Object.hasOwn(fields, name)) faults += 10;
  for (const [name, one] of Object.entries(fields).slice(0, 100)) {
    const schema = node.properties.get(name) ?? node.additional;
    if (schema === false) faults += 10;
    else if (!node.properties.has(name)) faults += 1;
    else {
      faults += faultsIn(document, document.read(schema), { value: one, budget, depth: depth + 1 });
    }
  }
  return faults;
}
