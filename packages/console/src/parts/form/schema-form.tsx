// A form for a JSON Schema: fields, or the same value as JSON text. Labels, descriptions and problems are tied to their
// controls for screen readers.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Segments } from '../segments.tsx';
import { placedMessage } from './describe-fields.ts';
import { FieldView } from './field-view.tsx';
import type { FormStore } from './form-store.ts';
import { jsonTextOf } from './form-state.ts';

export interface SchemaFormProps {
  readonly form: FormStore;
  /** For screen readers. */
  readonly label: string;
}

const MODES = [
  { name: 'form', title: 'Form' },
  { name: 'json', title: 'JSON' },
] as const;

export function SchemaForm({ form, label }: SchemaFormProps): JSX.Element {
  const mode = useSignal<'form' | 'json'>('form');
  const isBroken = form.state.value.textProblem !== undefined;
  return (
    <div class="schema-form" role="group" aria-label={label}>
      <Segments
        label={`${label}: shown as`}
        options={MODES}
        value={mode.value}
        onChange={(next) => {
          mode.value = next;
        }}
      />
      {isBroken && mode.value === 'form' && <BrokenText form={form} />}
      {mode.value === 'json' ? (
        <JsonView form={form} label={label} />
      ) : (
        <fieldset class="schema-fields" disabled={isBroken}>
          <legend class="unseen">{label}</legend>
          <FieldView form={form} field={form.root.value} />
        </fieldset>
      )}
    </div>
  );
}

function BrokenText({ form }: { readonly form: FormStore }): JSX.Element {
  return (
    <p class="field-problem" role="alert">
      The JSON is not valid, so the form is not updated.{' '}
      <button type="button" class="link-button" onClick={() => form.edit({ kind: 'discard-text' })}>
        Discard the text
      </button>
    </p>
  );
}

function JsonView({ form, label }: SchemaFormProps): JSX.Element {
  const state = form.state.value;
  const { textProblem } = state;
  const problemId = form.elementId('', 'json-problem');
  const text = jsonTextOf(state);
  return (
    <div class="form-field">
      <textarea
        class="field json-text"
        aria-label={`${label} as JSON`}
        aria-invalid={textProblem !== undefined}
        aria-describedby={textProblem === undefined ? undefined : problemId}
        spellcheck={false}
        autocomplete="off"
        rows={Math.min(24, Math.max(6, text.split('\n').length + 1))}
        value={text}
        onInput={({ currentTarget }) => form.edit({ kind: 'text', text: currentTarget.value })}
      />
      {textProblem !== undefined && (
        <p id={problemId} class="field-problem">
          {placedMessage(textProblem)}
        </p>
      )}
    </div>
  );
}
