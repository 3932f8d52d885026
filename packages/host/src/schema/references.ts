// `$ref` in a schema: found, and put in place where a provider knows no references. One that leads out
// of the document is never followed; one that leads into itself ends after a few turns, and then
// anything goes. Pure.

import { isObject } from '@plugboard/base';
import { mapSubschemas, type Schema } from './subschemas.ts';

/** How often a schema may be inside itself before it is cut. */
const MAX_TURNS = 2;
/** Schemas that refer to each other can grow without end; what is beyond takes anything. */
const MAX_NODES = 5000;

/** The schema at a place of a document, or nothing. */
export function lookUp(root: Schema, reference: string): Schema | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return isObject(found) ? found : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not escaped as in an address: it stands for itself.
    return part;
  }
}

/** The schema with every reference replaced by what it refers to. */
export function inlined(root: Schema): Schema {
  const state = { root, nodes: 0 };
  const { $defs: _, ...rest } = inlineNode(root, [], state);
  return rest;
}

function inlineNode(
  schema: Schema,
  path: readonly string[],
  state: { readonly root: Schema; nodes: number },
): Schema {
  state.nodes += 1;
  if (state.nodes > MAX_NODES) return {};
  const { $ref, ...beside } = schema;
  if (typeof $ref !== 'string') {
    return mapSubschemas(schema, (inner) => inlineNode(inner, path, state));
  }
  const turns = path.filter((reference) => reference === $ref).length;
  const target = turns > MAX_TURNS ? undefined : lookUp(state.root, $ref);
  const { $defs: _, ...found } = target ?? {};
  const both = saysMore(beside) ? { allOf: [found, beside] } : { ...found, ...beside };
  return inlineNode(both, [...path, $ref], state);
}

/** What stands beside a reference holds together with it, and not in place of it. */
function saysMore(beside: Schema): boolean {
  return Object.keys(beside).some((key) => !ONLY_WORDS.has(key));
}

const ONLY_WORDS = new Set(['$defs', '$comment', 'title', 'description', 'default', 'examples']);

/** Only the reference at the very top: providers want to see an object there. */
export function withResolvedTop(schema: Schema): Schema {
  let top = schema;
  for (let turn = 0; turn < 10; turn += 1) {
    const { $ref, ...beside } = top;
    if (typeof $ref !== 'string') return top;
    const { $defs = schema['$defs'] } = beside;
    const target = lookUp(schema, $ref) ?? {};
    top = { ...target, ...beside, ...($defs === undefined ? {} : { $defs }) };
  }
  const { $ref: _, ...rest } = top;
  return rest;
}

/** References that lead nowhere take anything; a provider would refuse the schema. */
export function withoutDeadReferences(schema: Schema, root: Schema = schema): Schema {
  const { $ref, ...beside } = schema;
  const isDead = typeof $ref === 'string' && lookUp(root, $ref) === undefined;
  return mapSubschemas(isDead ? beside : schema, (inner) => withoutDeadReferences(inner, root));
}
