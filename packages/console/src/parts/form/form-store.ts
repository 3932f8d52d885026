// A form for components: its state as a signal, and which problems are shown.

import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Json } from '@plugboard/base';
import { type Field, problemsOf } from './field.ts';
import { editForm, fieldsOf, type FormEdit, type FormState, openForm } from './form-state.ts';

let opened = 0;

export class FormStore {
  /** Unique on the page. */
  readonly id = `form-${(opened += 1)}`;
  readonly #state;
  readonly #root;
  readonly #visited = signal<ReadonlySet<string>>(new Set());
  readonly #isChecked = signal(false);

  constructor(schema: Json | undefined, value?: Json) {
    this.#state = signal(openForm(schema, value));
    this.#root = computed(() => fieldsOf(this.#state.value));
  }

  get state(): ReadonlySignal<FormState> {
    return this.#state;
  }

  get root(): ReadonlySignal<Field> {
    return this.#root;
  }

  edit(edit: FormEdit): void {
    this.#state.value = editForm(this.#state.peek(), edit);
  }

  /** Called when a field loses the focus: from now on, its problem is shown. */
  visit(id: string): void {
    if (!this.#visited.peek().has(id)) this.#visited.value = new Set(this.#visited.peek()).add(id);
  }

  /** The problem of a field, after it was visited or the form was checked. */
  problemOf(field: Field): string | undefined {
    return this.#isChecked.value || this.#visited.value.has(field.id) ? field.problem : undefined;
  }

  /** Shows all problems. Returns the fields that have one. */
  check(): readonly Field[] {
    return batch(() => {
      this.#isChecked.value = true;
      return problemsOf(this.#root.peek());
    });
  }

  /** The id of an element of a field. Escaped, since names are hostile and a space ends an id in references. */
  elementId(id: string, part = 'input'): string {
    const plain = id.replaceAll(/\W/g, (character) => `-${character.charCodeAt(0).toString(16)}`);
    return `${this.id}-${part}${plain}`;
  }

  /** The ids of the elements that describe a field, in reading order. */
  describedBy(field: Field): string | undefined {
    const ids = [
      ...(field.description === undefined && field.hint === undefined
        ? []
        : [this.elementId(field.id, 'about')]),
      ...(this.problemOf(field) === undefined ? [] : [this.elementId(field.id, 'problem')]),
    ];
    return ids.length === 0 ? undefined : ids.join(' ');
  }
}
