// Resolves `$ref` in a schema, and inlines references for providers that support none. A reference out of the document
// is never followed. A recursive one is cut after a few rounds, and accepts anything from there on. Pure.

import { isObject } from '@plugboard/base';
import { mapSubschemas, type Schema } from './subschemas.ts';

/** How often a schema may be inside itself before it is cut. */
const MAX_TURNS = 2;
/** Schemas that refer to each other can grow without end; beyond this limit, anything is accepted. */
const MAX_NODES = 5000;

/** The schema that a reference points to; `undefined` if there is none. */
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
    // Not percent-encoded, so it is used as it is.
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
  const { $ref, ...siblings } = schema;
  if (typeof $ref !== 'string') {
    return mapSubschemas(schema, (inner) => inlineNode(inner, path, state));
  }
  const turns = path.filter((reference) => reference === $ref).length;
  const target = turns > MAX_TURNS ? undefined : lookUp(state.root, $ref);
  const { $defs: _, ...found } = target ?? {};
  const both = isRestriction(siblings) ? { allOf: [found, siblings] } : { ...found, ...siblings };
  return inlineNode(both, [...path, $ref], state);
}

/** Whether the keywords next to a reference restrict its schema further. */
function isRestriction(siblings: Schema): boolean {
  return Object.keys(siblings).some((key) => !ONLY_WORDS.has(key));
}

const ONLY_WORDS = new Set(['$defs', '$comment', 'title', 'description', 'default', 'examples']);

/** Resolves only the reference at the top: providers require an object there. */
export function withResolvedTop(schema: Schema): Schema {
  let top = schema;
  for (let turn = 0; turn < 10; turn += 1) {
    const { $ref, ...siblings } = top;
    if (typeof $ref !== 'string') return top;
    const { $defs = schema['$defs'] } = siblings;
    const target = lookUp(schema, $ref) ?? {};
    top = { ...target, ...siblings, ...($defs === undefined ? {} : { $defs }) };
  }
  const { $ref: _, ...rest } = top;
  return rest;
}

/** Removes dangling references: a provider would refuse the schema. */
export function withoutDeadReferences(schema: Schema, root: Schema = schema): Schema {
  const { $ref, ...siblings } = schema;
  const isDead = typeof $ref === 'string' && lookUp(root, $ref) === undefined;
  return mapSubschemas(isDead ? siblings : schema, (inner) => withoutDeadReferences(inner, root));
}
