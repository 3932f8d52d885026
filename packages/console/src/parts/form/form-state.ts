// The state of a form and its edits. The fields and the JSON text are two views of one value: an edit of either changes the
// value, and the other follows. Text that is not JSON is kept as it is, and the fields are locked. Pure.

import { isObject, type Json, type JsonObject } from '@plugboard/base';
import { describeFields, numberIn } from './describe-fields.ts';
import type { Field } from './field.ts';
import { blank, initialValue } from './initial-value.ts';
import { readText, type ReadText } from './json-place.ts';
import {
  type Path,
  pointerOf,
  valueAt,
  withMoved,
  withoutValue,
  withRenamed,
  withValue,
} from './path.ts';
import { SchemaDocument } from './schema-node.ts';

export interface FormState {
  readonly document: SchemaDocument;
  readonly value: Json | undefined;
  readonly drafts: ReadonlyMap<string, string>;
  readonly choices: ReadonlyMap<string, number>;
  /** The typed text of the JSON view; `undefined` if it shows the value. */
  readonly text: string | undefined;
  readonly textProblem: Extract<ReadText, { kind: 'invalid' }> | undefined;
}

export type FormEdit =
  | { readonly kind: 'set'; readonly path: Path; readonly value: Json }
  | { readonly kind: 'clear'; readonly path: Path }
  /** Text typed into a field. Its value depends on the kind of the field. */
  | { readonly kind: 'type'; readonly field: Field; readonly text: string }
  /** Adds an absent optional object, list or variant. */
  | { readonly kind: 'start'; readonly field: Field }
  | { readonly kind: 'add-item'; readonly path: Path }
  | { readonly kind: 'move'; readonly path: Path; readonly to: number }
  | { readonly kind: 'add-property'; readonly path: Path; readonly name: string }
  | { readonly kind: 'rename'; readonly path: Path; readonly name: string }
  | { readonly kind: 'choose'; readonly field: Field; readonly variant: number }
  /** Text typed into the JSON view. */
  | { readonly kind: 'text'; readonly text: string }
  /** Discards text that is not JSON. */
  | { readonly kind: 'discard-text' };

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

export function openForm(schema: Json | undefined, value?: Json): FormState {
  const document = new SchemaDocument(schema);
  const first = value === undefined ? initialValue(document, document.root) : value;
  return {
    document,
    value: first,
    drafts: NONE,
    choices: NONE,
    text: undefined,
    textProblem: undefined,
  };
}

export function fieldsOf({ document, value, drafts, choices }: FormState): Field {
  return describeFields(document, value, { drafts, choices });
}

export function jsonTextOf({ text, value }: FormState): string {
  return text ?? (value === undefined ? '' : JSON.stringify(value, null, 2));
}

export function editForm(state: FormState, edit: FormEdit): FormState {
  if (edit.kind === 'text') return withText(state, edit.text);
  if (edit.kind === 'discard-text') return { ...state, text: undefined, textProblem: undefined };
  // The fields show an older value, and an edit of them would lose the text.
  if (state.textProblem !== undefined) return state;
  return { ...editField(state, edit), text: undefined };
}

function withText(state: FormState, text: string): FormState {
  const read = readText(text);
  if (read.kind === 'invalid') return { ...state, text, textProblem: read };
  const value = read.kind === 'value' ? read.value : undefined;
  return { ...state, value, text, textProblem: undefined, drafts: NONE, choices: NONE };
}

function editField(
  state: FormState,
  edit: Exclude<FormEdit, { readonly kind: 'text' | 'discard-text' }>,
): FormState {
  const { value } = state;
  switch (edit.kind) {
    case 'set':
      return changed(state, edit.path, withValue(value, edit.path, edit.value));
    case 'clear':
      return changed(state, edit.path.slice(0, -1), withoutValue(value, edit.path));
    case 'type':
      return typed(state, edit.field, edit.text);
    case 'start':
      return start(state, edit.field);
    case 'add-item':
      return addItem(state, edit.path);
    case 'move':
      return changed(state, edit.path.slice(0, -1), withMoved(value, edit.path, edit.to));
    case 'add-property':
      return addProperty(state, edit.path, edit.name);
    case 'rename':
      return changed(state, edit.path.slice(0, -1), withRenamed(value, edit.path, edit.name));
    case 'choose':
      return choose(state, edit.field, edit.variant);
    default:
      return edit satisfies never;
  }
}

/** Drops the drafts and choices at the path and below, which belong to the old value. */
function changed(state: FormState, path: Path, value: Json | undefined): FormState {
  const at = pointerOf(path);
  const isElsewhere = (id: string): boolean => id !== at && !id.startsWith(`${at}/`);
  return {
    ...state,
    value,
    drafts: new Map([...state.drafts].filter(([id]) => isElsewhere(id))),
    choices: new Map([...state.choices].filter(([id]) => isElsewhere(id))),
  };
}

function typed(state: FormState, field: Field, text: string): FormState {
  const { path, id } = field;
  if (field.kind === 'text') {
    // An empty optional text is left out; a required one may be empty.
    const value =
      text === '' && !field.isRequired
        ? withoutValue(state.value, path)
        : withValue(state.value, path, text);
    return changed(state, path, value);
  }
  const read = field.kind === 'number' ? readNumber(text) : readText(text);
  const drafts = new Map(state.drafts).set(id, text);
  if (read.kind === 'invalid') return { ...state, drafts };
  const value =
    read.kind === 'value'
      ? withValue(state.value, path, read.value)
      : withoutValue(state.value, path);
  return { ...changed(state, path, value), drafts };
}

function readNumber(
  text: string,
): { readonly kind: 'invalid' | 'empty' } | { readonly kind: 'value'; readonly value: number } {
  if (text.trim() === '') return { kind: 'empty' };
  const value = numberIn(text);
  return value === undefined ? { kind: 'invalid' } : { kind: 'value', value };
}

/** The schema at a path, through the chosen variants. */
function schemaAt(state: FormState, path: Path): Json {
  let schema: Json = state.document.root;
  for (let depth = 0; ; depth += 1) {
    schema = chosenSchema(state, schema, path.slice(0, depth));
    const part = path[depth];
    if (part === undefined) return schema;
    const node = state.document.read(schema);
    schema =
      typeof part === 'number'
        ? (node.prefixItems[part] ?? node.items)
        : (node.properties.get(part) ?? node.additional);
  }
}

function chosenSchema(state: FormState, schema: Json, path: Path): Json {
  const { variants } = state.document.read(schema);
  if (variants.length === 0) return schema;
  const field = fieldAt(fieldsOf(state), path);
  const chosen =
    field?.kind === 'variant' ? field.chosen : (state.choices.get(pointerOf(path)) ?? 0);
  return variants[chosen] ?? true;
}

export function fieldAt(root: Field, path: Path): Field | undefined {
  let field: Field | undefined = root;
  for (const part of path) {
    while (field?.kind === 'variant') field = field.field;
    if (field?.kind === 'object') field = field.fields.find((one) => one.path.at(-1) === part);
    else if (field?.kind === 'list') field = field.items[Number(part)];
    else return undefined;
  }
  return field;
}

function start(state: FormState, { path }: Field): FormState {
  const schema = schemaAt(state, path);
  const first = initialValue(state.document, schema) ?? blank(state.document.read(schema));
  return changed(state, path, withValue(state.value, path, first));
}

function addItem(state: FormState, path: Path): FormState {
  const list = valueAt(state.value, path);
  const index = Array.isArray(list) ? list.length : 0;
  const schema = schemaAt(state, [...path, index]);
  const item = initialValue(state.document, schema) ?? blank(state.document.read(schema));
  return changed(state, [...path, index], withValue(state.value, [...path, index], item));
}

function addProperty(state: FormState, path: Path, name: string): FormState {
  if (name === '' || valueAt(state.value, [...path, name]) !== undefined) return state;
  const schema = schemaAt(state, [...path, name]);
  const value = initialValue(state.document, schema) ?? blank(state.document.read(schema));
  return changed(state, [...path, name], withValue(state.value, [...path, name], value));
}

/** A new variant starts with its defaults, and keeps the properties that it shares with the one before. */
function choose(state: FormState, { path, id }: Field, variant: number): FormState {
  const choices = new Map(state.choices).set(id, variant);
  const before = valueAt(state.value, path);
  const chosen = { ...changed(state, path, state.value), choices };
  const schema = schemaAt(chosen, path);
  const node = state.document.read(schema);
  const first = initialValue(state.document, schema) ?? blank(node);
  const value =
    isObject(first) && isObject(before) ? withCommon(first, before, node.properties) : first;
  return { ...changed(state, path, withValue(state.value, path, value)), choices };
}

function withCommon(
  first: JsonObject,
  before: JsonObject,
  properties: ReadonlyMap<string, Json>,
): JsonObject {
  const common = Object.entries(before).filter(
    ([name]) => properties.has(name) && !Object.hasOwn(first, name),
  );
  return { ...first, ...Object.fromEntries(common) };
}
