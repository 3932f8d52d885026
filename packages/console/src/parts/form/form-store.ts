// A form that components show: its state as a signal, and which problems it is time to show.

import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Json } from '@plugboard/base';
import { type Field, problemsOf } from './field.ts';
import { editForm, fieldsOf, type FormEdit, type FormState, openForm } from './form-state.ts';

let opened = 0;

export class FormStore {
  /** Apart from other forms on the page. */
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

  /** A field was left: from now on, what is wrong with it is shown. */
  visit(id: string): void {
    if (!this.#visited.peek().has(id)) this.#visited.value = new Set(this.#visited.peek()).add(id);
  }

  /** What is wrong with a field, once it was left or the form was to be sent. */
  problemOf(field: Field): string | undefined {
    return this.#isChecked.value || this.#visited.value.has(field.id) ? field.problem : undefined;
  }

  /** Shows all problems. Says whether there are any. */
  check(): readonly Field[] {
    return batch(() => {
      this.#isChecked.value = true;
      return problemsOf(this.#root.peek());
    });
  }

  /** The id of an element that belongs to a field. Names are hostile, and ids in references end at a space. */
  elementId(id: string, part = 'input'): string {
    const plain = id.replaceAll(/\W/g, (character) => `-${character.charCodeAt(0).toString(16)}`);
    return `${this.id}-${part}${plain}`;
  }

  /** The ids of what describes a field, in the order in which it is read. */
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
