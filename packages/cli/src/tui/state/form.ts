// The form of a server's question while the user fills it in: the current field and the values so far. Pure.

import { fieldProblem, type FormField, type Json, parseTyped } from '@plugboard/base';
import type { AskedForm, ElicitationAnswer } from '@plugboard/host';
import { type Editor, editorWith } from '../input/index.ts';
import type { FormLook } from '../view/question-lines.ts';

export interface FormState extends FormLook {
  readonly editor: Editor;
}

export type FormStep =
  | { readonly kind: 'type'; readonly editor: Editor }
  | { readonly kind: 'option'; readonly by: 1 | -1 }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'pick'; readonly value: boolean }
  | { readonly kind: 'next' }
  | { readonly kind: 'back' };

export function newForm(form: AskedForm): FormState {
  const defaults = form.fields.flatMap((field) =>
    field.default === undefined ? [] : [[field.name, field.default as Json] as const],
  );
  return atField(form, { ...BLANK, values: Object.fromEntries(defaults) }, 0);
}

const BLANK: FormState = { field: 0, values: {}, editor: editorWith(''), option: 0 };

export function stepForm(form: AskedForm, state: FormState, step: FormStep): FormState {
  const field = form.fields[state.field];
  switch (step.kind) {
    case 'type':
      return takesText(field) ? { ...withoutProblem(state), editor: step.editor } : state;
    case 'option':
      return withOption(field, state, step.by);
    case 'toggle':
      return withToggled(field, state);
    case 'pick':
      return field?.kind === 'boolean' ? withValue(state, field, step.value) : state;
    case 'back':
      return atField(form, state, Math.max(0, state.field - 1));
    case 'next':
      return next(form, state);
    default:
      return step satisfies never;
  }
}

const SEND = 0;
const DECLINE = 1;

/** Enter alone must not send what sounds like a password. */
function firstAnswer({ soundsSecret }: AskedForm): number {
  return soundsSecret ? DECLINE : SEND;
}

/** `undefined` until the last row, which sends or declines. */
export function formAnswer(form: AskedForm, state: FormState): ElicitationAnswer | undefined {
  if (state.field < form.fields.length) return undefined;
  return state.option === DECLINE ? { kind: 'decline' } : { kind: 'accept', content: state.values };
}

function takesText(field: FormField | undefined): boolean {
  return field?.kind === 'text' || field?.kind === 'number';
}

function next(form: AskedForm, state: FormState): FormState {
  const field = form.fields[state.field];
  if (field === undefined) return state;
  const value = fieldValue(field, state);
  if (value === undefined) {
    const { [field.name]: _, ...values } = state.values;
    return field.isRequired
      ? { ...state, problem: { kind: 'missing' } }
      : atField(form, { ...state, values }, state.field + 1);
  }
  const problem = fieldProblem(field, value);
  if (problem !== undefined) return { ...state, problem };
  const values = { ...state.values, [field.name]: value };
  return atField(form, { ...state, values }, state.field + 1);
}

/** The value of the current field. */
function fieldValue(field: FormField, state: FormState): Json | undefined {
  const typed = state.editor.text;
  switch (field.kind) {
    case 'text':
      return typed === '' ? undefined : typed;
    case 'number':
      return typed.trim() === '' ? undefined : parseTyped(field, typed);
    case 'choice':
      return field.options[state.option]?.value;
    case 'boolean':
    case 'choices':
      return state.values[field.name];
    default:
      return field satisfies never;
  }
}

function withOption(field: FormField | undefined, state: FormState, by: 1 | -1): FormState {
  if (field?.kind === 'boolean') {
    return withValue(state, field, state.values[field.name] !== true);
  }
  const size = field === undefined ? 2 : 'options' in field ? field.options.length : 0;
  return size === 0
    ? state
    : { ...withoutProblem(state), option: (state.option + by + size) % size };
}

function withToggled(field: FormField | undefined, state: FormState): FormState {
  if (field?.kind === 'boolean') {
    return withValue(state, field, state.values[field.name] !== true);
  }
  if (field?.kind !== 'choices') return state;
  const value = field.options[state.option]?.value;
  if (value === undefined) return state;
  const given = state.values[field.name];
  const chosen = Array.isArray(given) ? (given as readonly string[]) : [];
  const others = chosen.filter((one) => one !== value);
  return withValue(state, field, others.length < chosen.length ? others : [...chosen, value]);
}

function withValue(state: FormState, field: FormField, value: Json): FormState {
  return { ...withoutProblem(state), values: { ...state.values, [field.name]: value } };
}

function withoutProblem({ problem: _, ...state }: FormState): FormState {
  return state;
}

/** Makes another field the current one. */
function atField(form: AskedForm, state: FormState, index: number): FormState {
  const field = form.fields[index];
  const value = field === undefined ? undefined : state.values[field.name];
  const isText = typeof value === 'string' || typeof value === 'number';
  const option =
    field?.kind === 'choice'
      ? field.options.findIndex((one) => one.value === value)
      : field === undefined
        ? firstAnswer(form)
        : 0;
  return {
    ...withoutProblem(state),
    field: index,
    editor: editorWith(takesText(field) && isText ? String(value) : ''),
    option: Math.max(0, option),
  };
}
