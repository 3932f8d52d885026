// Merges the arguments of a tool into one plain object, if a server describes them as a choice or a combination of
// objects: providers accept no `anyOf`, `oneOf` or `allOf` at the top. The result accepts whatever one of the choices
// accepts, and describes in words which properties go together. Pure.

import { isObject } from '@plugboard/base';
import { lookUp } from './references.ts';
import { withWords } from './words.ts';
import { mapValues, type Schema, setOwn } from './subschemas.ts';

/** More than a model could follow. Choices that refer to each other would unfold without end. */
const MOST_PROPERTIES = 2000;

interface Flattening {
  readonly root: Schema;
  readonly depth: number;
  /** Counts the properties of all branches, and the branches. */
  readonly unfolded: { properties: number };
}

export function asObject(root: Schema): Schema {
  const place = { root, depth: 0, unfolded: { properties: 0 } };
  const { anyOf, oneOf, allOf, ...rest } = root;
  const own = { ...rest, type: 'object', properties: propertiesOf(rest) };
  const merged = withParts(own, { anyOf, oneOf, allOf }, place);
  return place.unfolded.properties > MOST_PROPERTIES ? withNamesOnly(merged) : merged;
}

/** Accepts whatever the unread branches accept. The server's own schema is checked before each call. */
function withNamesOnly(schema: Schema): Schema {
  const { description } = schema;
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: mapValues(propertiesOf(schema), () => ({})),
  };
}

/** A branch may itself contain choices, at any depth that occurs in practice. */
function flat(schema: Schema, { root, depth, unfolded }: Flattening): Schema {
  const found =
    typeof schema['$ref'] === 'string' ? { ...lookUp(root, schema['$ref']), ...schema } : schema;
  const { $ref: _, anyOf, oneOf, allOf, ...rest } = found;
  unfolded.properties += 1 + Object.keys(propertiesOf(rest)).length;
  if (unfolded.properties > MOST_PROPERTIES) return {};
  if (depth > 5) return rest;
  return withParts(rest, { anyOf, oneOf, allOf }, { root, depth: depth + 1, unfolded });
}

/** A schema merged with the schemas that it is composed of. */
function withParts(own: Schema, { anyOf, oneOf, allOf }: Schema, place: Flattening): Schema {
  let merged = own;
  for (const part of schemasIn(allOf)) merged = both(merged, flat(part, place));
  for (const choice of [anyOf, oneOf]) {
    const branches = schemasIn(choice).map((branch) => flat(branch, place));
    if (branches.length > 0) merged = withChoice(merged, branches);
  }
  return merged;
}

function schemasIn(list: unknown): readonly Schema[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Both apply. */
function both(a: Schema, b: Schema): Schema {
  const properties = { ...propertiesOf(a) };
  for (const [name, schema] of Object.entries(propertiesOf(b))) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const merged = isObject(known) && isObject(schema) ? { ...known, ...schema } : schema;
    setOwn(properties, name, merged);
  }
  const required = [...new Set([...requiredOf(a), ...requiredOf(b)])];
  const { additionalProperties: _, ...rest } = a;
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}) };
}

/** One of the branches applies: all their properties are allowed, and required if every branch requires them. */
function withChoice(base: Schema, branches: readonly Schema[]): Schema {
  const properties: Record<string, unknown> = { ...propertiesOf(base) };
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(propertiesOf(branch))) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      setOwn(properties, name, known === undefined ? schema : either(known, schema));
    }
  }
  const [first = [], ...others] = branches.map(requiredOf);
  const inAll = first.filter((name) => others.every((names) => names.includes(name)));
  const required = [...new Set([...requiredOf(base), ...inAll])];
  const { additionalProperties: _, required: __, ...rest } = base;
  return withWords({ ...rest, properties, ...(required.length > 0 ? { required } : {}) }, [
    choiceInWords(branches),
  ]);
}

function choiceInWords(branches: readonly Schema[]): string {
  const groups = branches
    .map((branch) => {
      const names = requiredOf(branch);
      const shown = names.length > 0 ? names : Object.keys(propertiesOf(branch));
      const { title, description } = branch;
      const word = [title, description].find((text) => typeof text === 'string' && text !== '');
      return `${shown.join(', ')}${typeof word === 'string' ? ` (${word})` : ''}`.trim();
    })
    .filter((group) => group !== '');
  return groups.length === 0 ? '' : `Give one of these groups: ${groups.join(' | ')}.`;
}

function either(a: unknown, b: unknown): unknown {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const branches = [a, b].flatMap((schema) => {
    const isChoice = isObject(schema) && Array.isArray(schema['anyOf']);
    return isChoice && Object.keys(schema).length === 1 ? schema['anyOf'] : [schema];
  });
  const unlike = new Map(branches.map((branch) => [JSON.stringify(branch), branch]));
  return { anyOf: [...unlike.values()] };
}

function propertiesOf({ properties }: Schema): Schema {
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
