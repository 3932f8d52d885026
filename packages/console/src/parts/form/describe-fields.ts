// Describes the fields of a form for a schema and a value: everything that is present, required, or can be filled in directly.
// Optional objects and lists have to be added first, so that a recursive schema ends with the value. Bounded in depth and in
// the number of fields. Pure.

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

/** The state of a form besides its value: text that is not a value yet, and the chosen variants. */
export interface FormDrafts {
  readonly drafts: ReadonlyMap<string, string>;
  readonly choices: ReadonlyMap<string, number>;
}

interface Progress extends FormDrafts {
  readonly document: SchemaDocument;
  readonly budget: { left: number };
}

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
  unsaved: FormDrafts,
): Field {
  const progress = { document, budget: { left: MOST_FIELDS }, ...unsaved };
  return describe(progress, {
    schema: document.root,
    value,
    path: [],
    label: '',
    isRequired: true,
    isExtra: false,
  });
}

function describe(progress: Progress, place: Place): Field {
  progress.budget.left -= 1;
  const node = progress.document.read(place.schema);
  const facts = factsOf(node, place);
  if (node.isImpossible) {
    const problem = facts.isPresent ? 'No value is allowed here.' : undefined;
    return { ...facts, kind: 'impossible', problem };
  }
  if (place.path.length >= MOST_DEPTH || progress.budget.left <= 0)
    return jsonField(progress, facts, place);
  if (node.variants.length > 0) return variantOrChoice(progress, { facts, node, place });
  if (node.values !== undefined) return choiceField(facts, optionsOf(node.values), place.value);
  const fits = place.value === undefined || facts.isNull || isOfType(place.value, node.types);
  if (!fits) return jsonField(progress, facts, place);
  return ofType(progress, { facts, node, place });
}

interface FieldSource {
  readonly facts: FieldFacts;
  readonly node: SchemaNode;
  readonly place: Place;
}

function ofType(progress: Progress, described: FieldSource): Field {
  const { facts, node, place } = described;
  const { value } = place;
  switch (node.types[0]) {
    case 'object':
      return objectField(progress, described);
    case 'array':
      return listField(progress, described);
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
      return numberField(progress, described);
    case 'boolean':
      return { ...facts, kind: 'boolean', value: typeof value === 'boolean' ? value : undefined };
    case 'null':
    case undefined:
      return jsonField(progress, facts, place);
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

/** A single line is enough for a short text or one with a format. */
function isLongText({ format, bounds }: SchemaNode, value: Json | undefined): boolean {
  if (typeof value === 'string' && (value.includes('\n') || value.length > 100)) return true;
  return format === undefined && (bounds.maxLength ?? 0) > 300;
}

function numberField(progress: Progress, { facts, node, place }: FieldSource): Field {
  const { value } = place;
  const draft = progress.drafts.get(facts.id);
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

/** Parses a number as JSON writes it. */
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

function jsonField(progress: Progress, facts: FieldFacts, { value }: Place): Field {
  const draft = progress.drafts.get(facts.id);
  const read = draft === undefined ? undefined : readText(draft);
  const problem = read?.kind === 'invalid' ? placedMessage(read) : facts.problem;
  const text = draft ?? (value === undefined ? '' : shortJson(value));
  return { ...facts, kind: 'json', text, problem };
}

function shortJson(value: Json): string {
  return JSON.stringify(value, null, 2);
}

/** The problem of a text, with its place. */
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

/** A `oneOf` of constants is a choice: this is how schemas give titles to values. */
function variantOrChoice(progress: Progress, described: FieldSource): Field {
  const { facts, node, place } = described;
  const nodes = node.variants.map((variant) => progress.document.read(variant));
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
  return variantField(progress, described, nodes);
}

function variantField(
  progress: Progress,
  described: FieldSource,
  nodes: readonly SchemaNode[],
): Field {
  const { facts, node, place } = described;
  const schemas = node.variants;
  const selected = progress.choices.get(facts.id);
  const chosen =
    selected !== undefined && selected < schemas.length
      ? selected
      : likeliestVariant(progress.document, schemas, place.value);
  const schema = schemas[chosen] ?? true;
  const field =
    facts.isPresent && !facts.isNull ? describe(progress, { ...place, schema }) : undefined;
  const problem = facts.isPresent ? undefined : facts.problem;
  const variants = variantLabels(progress.document, nodes);
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

function objectField(progress: Progress, { facts, node, place }: FieldSource): Field {
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
    describe(progress, {
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

function listField(progress: Progress, described: FieldSource): Field {
  const { facts, node, place } = described;
  const value = Array.isArray(place.value) ? (place.value as readonly Json[]) : [];
  const choices = choicesOf(progress.document, node);
  if (choices !== undefined) {
    const chosen = value.map((one) => indexIn(choices, one));
    if (chosen.every((index) => index !== undefined)) {
      return { ...facts, kind: 'choices', options: choices, chosen };
    }
  }
  const items = value.slice(0, MOST_ITEMS).map((one, index) =>
    describe(progress, {
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

/** The options of a list of distinct values, which is shown as checkboxes if there are few. */
function choicesOf(document: SchemaDocument, node: SchemaNode): readonly Choice[] | undefined {
  if (!node.isUnique || node.prefixItems.length > 0) return undefined;
  const { values } = document.read(node.items);
  return values === undefined || values.length > 30 ? undefined : optionsOf(values);
}
