// From a schema and a value to the fields of a form. What is there is shown, and what is required or can be filled in at
// once; optional objects and lists wait to be added, so a schema that contains itself ends with the value. Bounded in
// depth and in the number of fields. Pure.

import { canonicalJson, isObject, type Json } from '@plugboard/base';
import { hintOf, isOfType, numberProblem, ownProblem, typeWords } from './check-leaf.ts';
import type { Choice, Field, FieldFacts } from './field.ts';
import { likeliestVariant } from './initial-value.ts';
import { type Path, pointerOf } from './path.ts';
import { readText } from './json-place.ts';
import type { SchemaDocument, SchemaNode } from './schema-node.ts';

const MOST_DEPTH = 24;
const MOST_FIELDS = 2000;
const MOST_PROPERTIES = 60;
const MOST_ITEMS = 100;

/** What of a form is not in its value: text that is not a value yet, and the variants that were chosen. */
export interface Unsaved {
  readonly drafts: ReadonlyMap<string, string>;
  readonly choices: ReadonlyMap<string, number>;
}

interface Course extends Unsaved {
  readonly document: SchemaDocument;
  readonly budget: { left: number };
}

/** One place of the form. */
interface Place {
  readonly schema: Json;
  readonly value: Json | undefined;
  readonly path: Path;
  readonly label: string;
  readonly isRequired: boolean;
  readonly isExtra: boolean;
}

export function describeFields(
  document: SchemaDocument,
  value: Json | undefined,
  unsaved: Unsaved,
): Field {
  const course = { document, budget: { left: MOST_FIELDS }, ...unsaved };
  return describe(course, {
    schema: document.root,
    value,
    path: [],
    label: '',
    isRequired: true,
    isExtra: false,
  });
}

function describe(course: Course, place: Place): Field {
  course.budget.left -= 1;
  const node = course.document.read(place.schema);
  const facts = factsOf(node, place);
  if (node.isImpossible) {
    const problem = facts.isPresent ? 'No value is allowed here.' : undefined;
    return { ...facts, kind: 'impossible', problem };
  }
  if (place.path.length >= MOST_DEPTH || course.budget.left <= 0)
    return jsonField(course, facts, place);
  if (node.variants.length > 0) return variantOrChoice(course, { facts, node, place });
  if (node.values !== undefined) return choiceField(facts, optionsOf(node.values), place.value);
  const fits = place.value === undefined || facts.isNull || isOfType(place.value, node.types);
  if (!fits) return jsonField(course, facts, place);
  return ofType(course, { facts, node, place });
}

interface Described {
  readonly facts: FieldFacts;
  readonly node: SchemaNode;
  readonly place: Place;
}

function ofType(course: Course, described: Described): Field {
  const { facts, node, place } = described;
  const { value } = place;
  switch (node.types[0]) {
    case 'object':
      return objectField(course, described);
    case 'array':
      return listField(course, described);
    case 'string':
      return {
        ...facts,
        kind: 'text',
        text: typeof value === 'string' ? value : '',
        format: node.format,
        placeholder: exampleText(node),
        isLong: isLongText(node, value),
      };
    case 'number':
    case 'integer':
      return numberField(course, described);
    case 'boolean':
      return { ...facts, kind: 'boolean', value: typeof value === 'boolean' ? value : undefined };
    case 'null':
    case undefined:
      return jsonField(course, facts, place);
    default:
      return node.types[0] satisfies never;
  }
}

function factsOf(node: SchemaNode, { value, path, label, isRequired, isExtra }: Place): FieldFacts {
  const isPresent = value !== undefined;
  const missing = isRequired && path.length > 0 ? 'Is required.' : undefined;
  return {
    path,
    id: pointerOf(path),
    label: node.title ?? label,
    description: node.description,
    hint: hintOf(node),
    problem: isPresent ? ownProblem(node, value) : missing,
    isRequired,
    isDeprecated: node.isDeprecated,
    isPresent,
    isNullable: node.isNullable,
    isNull: value === null && (node.isNullable || node.types.length === 0),
    isExtra,
  };
}

function exampleText(node: SchemaNode): string | undefined {
  const { example } = node;
  if (typeof example === 'string' || typeof example === 'number')
    return String(example).slice(0, 80);
  return undefined;
}

/** A line is enough for what is short or has a format. */
function isLongText({ format, bounds }: SchemaNode, value: Json | undefined): boolean {
  if (typeof value === 'string' && (value.includes('\n') || value.length > 100)) return true;
  return format === undefined && (bounds.maxLength ?? 0) > 300;
}

function numberField(course: Course, { facts, node, place }: Described): Field {
  const { value } = place;
  const draft = course.drafts.get(facts.id);
  const problem = draft === undefined ? undefined : numberTextProblem(node, draft);
  return {
    ...facts,
    kind: 'number',
    text: draft ?? (typeof value === 'number' ? String(value) : ''),
    isInteger: node.types[0] === 'integer',
    placeholder: exampleText(node),
    problem: problem ?? facts.problem,
  };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number that a text is, if it is one that JSON has. */
export function numberIn(text: string): number | undefined {
  const trimmed = text.trim();
  const value = trimmed.length < 400 && NUMBER.test(trimmed) ? Number(trimmed) : undefined;
  return Number.isFinite(value) ? value : undefined;
}

function numberTextProblem(node: SchemaNode, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const value = numberIn(text);
  return value === undefined ? 'Must be a number.' : numberProblem(node, value);
}

function jsonField(course: Course, facts: FieldFacts, { value }: Place): Field {
  const draft = course.drafts.get(facts.id);
  const read = draft === undefined ? undefined : readText(draft);
  const problem = read?.kind === 'invalid' ? placedMessage(read) : facts.problem;
  const text = draft ?? (value === undefined ? '' : shortJson(value));
  return { ...facts, kind: 'json', text, problem };
}

function shortJson(value: Json): string {
  return JSON.stringify(value, null, 2);
}

/** What is wrong with a text, and where. */
export function placedMessage(read: {
  readonly message: string;
  readonly at: { readonly line: number; readonly column: number } | undefined;
}): string {
  return read.at === undefined
    ? read.message
    : `Line ${read.at.line}, column ${read.at.column}: ${read.message}`;
}

function choiceField(
  facts: FieldFacts,
  options: readonly Choice[],
  value: Json | undefined,
): Field {
  return { ...facts, kind: 'choice', options, chosen: indexIn(options, value) };
}

function indexIn(options: readonly Choice[], value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  const text = canonicalJson(value);
  const index = options.findIndex((option) => canonicalJson(option.value) === text);
  return index === -1 ? undefined : index;
}

function optionsOf(values: readonly Json[]): readonly Choice[] {
  return values.map((value) => ({ value, label: valueLabel(value) }));
}

function valueLabel(value: Json): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** `oneOf` of constants is how schemas give values titles. */
function variantOrChoice(course: Course, described: Described): Field {
  const { facts, node, place } = described;
  const nodes = node.variants.map((variant) => course.document.read(variant));
  if (nodes.every(({ values }) => values?.length === 1)) {
    const options = nodes.map(({ title, values }): Choice => {
      const value = values?.[0] ?? null;
      return { value, label: title ?? valueLabel(value) };
    });
    const problem =
      facts.isPresent && !facts.isNull && indexIn(options, place.value) === undefined
        ? 'Must be one of the values that are allowed.'
        : facts.problem;
    return choiceField({ ...facts, problem }, options, place.value);
  }
  return variantField(course, described, nodes);
}

function variantField(course: Course, described: Described, nodes: readonly SchemaNode[]): Field {
  const { facts, node, place } = described;
  const schemas = node.variants;
  const asked = course.choices.get(facts.id);
  const chosen =
    asked !== undefined && asked < schemas.length
      ? asked
      : likeliestVariant(course.document, schemas, place.value);
  const schema = schemas[chosen] ?? true;
  // Beside the choice, the variant needs no name of its own.
  const field =
    facts.isPresent && !facts.isNull ? describe(course, { ...place, schema }) : undefined;
  const problem = facts.isPresent ? undefined : facts.problem;
  const variants = variantLabels(course.document, nodes);
  return { ...facts, kind: 'variant', variants, chosen, field, problem };
}

function variantLabels(document: SchemaDocument, nodes: readonly SchemaNode[]): readonly string[] {
  return nodes.map((node, index) => {
    if (node.title !== undefined) return node.title;
    for (const [name, schema] of node.properties) {
      const values = document.read(schema).values;
      if (values?.length === 1) return `${name}: ${valueLabel(values[0] ?? null)}`;
    }
    if (node.types[0] === 'object' && node.required.size > 0) {
      return [...node.required].slice(0, 3).join(', ');
    }
    return node.types.length > 0 ? typeWords(node.types) : `Variant ${index + 1}`;
  });
}

function objectField(course: Course, { facts, node, place }: Described): Field {
  const { isOpen } = node;
  if (place.value === undefined || facts.isNull) {
    return { ...facts, kind: 'object', fields: [], isOpen, offered: [] };
  }
  const value = isObject(place.value) ? place.value : {};
  const names = [
    ...node.properties.keys(),
    ...[...node.required].filter((name) => !node.properties.has(name)),
  ];
  const isShown = (name: string, index: number): boolean =>
    index < MOST_PROPERTIES || node.required.has(name) || Object.hasOwn(value, name);
  const child = (name: string, schema: Json): Field =>
    describe(course, {
      schema,
      value: Object.hasOwn(value, name) ? value[name] : undefined,
      path: [...place.path, name],
      label: name,
      isRequired: node.required.has(name),
      isExtra: !node.properties.has(name) && !node.required.has(name),
    });
  const named = names.filter(isShown).slice(0, MOST_FIELDS);
  const known = new Set(names);
  const extras = Object.keys(value)
    .filter((name) => !known.has(name))
    .slice(0, MOST_FIELDS);
  const fields = [
    ...named.map((name) => child(name, node.properties.get(name) ?? node.additional)),
    ...extras.map((name) => child(name, node.additional)),
  ];
  const offered = names.filter((name, index) => !isShown(name, index)).slice(0, 1000);
  return { ...facts, kind: 'object', fields, isOpen, offered };
}

function listField(course: Course, described: Described): Field {
  const { facts, node, place } = described;
  const value = Array.isArray(place.value) ? (place.value as readonly Json[]) : [];
  const choices = choicesOf(course.document, node);
  if (choices !== undefined) {
    const chosen = value.map((one) => indexIn(choices, one));
    if (chosen.every((index) => index !== undefined)) {
      return { ...facts, kind: 'choices', options: choices, chosen };
    }
  }
  const items = value.slice(0, MOST_ITEMS).map((one, index) =>
    describe(course, {
      schema: node.prefixItems[index] ?? node.items,
      value: one,
      path: [...place.path, index],
      label: `Item ${index + 1}`,
      isRequired: true,
      isExtra: false,
    }),
  );
  const next = node.prefixItems[value.length] ?? node.items;
  const canAdd = next !== false && value.length < (node.bounds.maxItems ?? Infinity);
  return { ...facts, kind: 'list', items, canAdd, hidden: value.length - items.length };
}

/** A list of distinct values out of a few is a set of boxes to tick. */
function choicesOf(document: SchemaDocument, node: SchemaNode): readonly Choice[] | undefined {
  if (!node.isUnique || node.prefixItems.length > 0) return undefined;
  const { values } = document.read(node.items);
  return values === undefined || values.length > 30 ? undefined : optionsOf(values);
}
