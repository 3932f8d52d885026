// The controls for values without parts.

import type { JSX, TargetedEvent } from 'preact';
import { visible } from '../../text/visible.ts';
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  Field,
  JsonField,
  NumberField,
  TextField,
} from './field.ts';
import type { FormStore } from './form-store.ts';

interface ControlProps<Kind extends Field> {
  readonly form: FormStore;
  readonly field: Kind;
}

interface CommonAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
  readonly 'aria-required': boolean;
  readonly onBlur: () => void;
}

/** The attributes of every control. */
function common(form: FormStore, field: Field): CommonAttributes {
  return {
    id: form.elementId(field.id),
    'aria-describedby': form.describedBy(field),
    'aria-invalid': form.problemOf(field) !== undefined,
    'aria-required': field.isRequired,
    onBlur: () => form.visit(field.id),
  };
}

type InputEvent = TargetedEvent<HTMLInputElement>;

function inputTypeOf({ format, text }: TextField): 'date' | 'email' | 'url' | 'text' {
  // A date input would not show a value that is not a date.
  if (format === 'date') return text === '' || /^\d{4}-\d\d-\d\d$/.test(text) ? 'date' : 'text';
  if (format === 'email') return 'email';
  return format === 'uri' ? 'url' : 'text';
}

export function TextControl({ form, field }: ControlProps<TextField>): JSX.Element {
  const type = (text: string): void => form.edit({ kind: 'type', field, text });
  const attributes = {
    ...common(form, field),
    class: 'field',
    value: field.text,
    placeholder: field.placeholder === undefined ? undefined : visible(field.placeholder),
    spellcheck: false,
    autocomplete: 'off',
  } as const;
  if (field.isLong) {
    return (
      <textarea
        {...attributes}
        rows={Math.min(12, Math.max(3, field.text.split('\n').length))}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    );
  }
  const inputType = inputTypeOf(field);
  const input = {
    ...attributes,
    onInput: ({ currentTarget }: InputEvent) => type(currentTarget.value),
  };
  return (
    <span class="input-row">
      {inputType === 'date' && <input {...input} type="date" />}
      {inputType === 'email' && <input {...input} type="email" />}
      {inputType === 'url' && <input {...input} type="url" />}
      {inputType === 'text' && <input {...input} type="text" />}
      {field.format === 'date-time' && (
        <button type="button" class="button" onClick={() => type(new Date().toISOString())}>
          Now
        </button>
      )}
      {field.format === undefined && (
        <button
          type="button"
          class="icon-button"
          aria-label={`${visible(field.label)}: more lines`}
          title="Start a new line"
          onClick={() => type(`${field.text}\n`)}
        >
          ¶
        </button>
      )}
    </span>
  );
}

export function NumberControl({ form, field }: ControlProps<NumberField>): JSX.Element {
  return (
    <input
      {...common(form, field)}
      class="field number"
      type="text"
      inputMode={field.isInteger ? 'numeric' : 'decimal'}
      autocomplete="off"
      placeholder={field.placeholder}
      value={field.text}
      onInput={({ currentTarget }) => form.edit({ kind: 'type', field, text: currentTarget.value })}
    />
  );
}

/** A checkbox if the value is required. An optional value can also be left out. */
export function BooleanControl({ form, field }: ControlProps<BooleanField>): JSX.Element {
  const { path, value } = field;
  if (field.isRequired && value !== undefined) {
    return (
      <label class="check-row">
        <input
          {...common(form, field)}
          type="checkbox"
          checked={value}
          onChange={({ currentTarget }) =>
            form.edit({ kind: 'set', path, value: currentTarget.checked })
          }
        />
        <span>{String(value)}</span>
      </label>
    );
  }
  return (
    <select
      {...common(form, field)}
      class="field"
      value={value === undefined ? '' : String(value)}
      onChange={({ currentTarget }) =>
        form.edit(
          currentTarget.value === ''
            ? { kind: 'clear', path }
            : { kind: 'set', path, value: currentTarget.value === 'true' },
        )
      }
    >
      <option value="">left out</option>
      <option value="true">true</option>
      <option value="false">false</option>
    </select>
  );
}

export function ChoiceControl({ form, field }: ControlProps<ChoiceField>): JSX.Element {
  const { options, chosen, path } = field;
  const choose = (index: string): void => {
    const option = options[Number(index)];
    form.edit(
      index === '' || option === undefined
        ? { kind: 'clear', path }
        : { kind: 'set', path, value: option.value },
    );
  };
  return (
    <select
      {...common(form, field)}
      class="field"
      value={chosen === undefined ? '' : String(chosen)}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {(chosen === undefined || !field.isRequired) && (
        <option value="">
          {field.isPresent && chosen === undefined ? 'another value' : 'left out'}
        </option>
      )}
      {options.map((option, index) => (
        <option key={index} value={String(index)}>
          {visible(option.label)}
        </option>
      ))}
    </select>
  );
}

export function ChoicesControl({ form, field }: ControlProps<ChoicesField>): JSX.Element {
  const { options, chosen, path } = field;
  const toggle = (index: number): void => {
    const next = chosen.includes(index)
      ? chosen.filter((one) => one !== index)
      : [...chosen, index];
    const value = next.map((one) => options[one]?.value ?? null);
    const isLeftOut = next.length === 0 && !field.isRequired;
    form.edit(isLeftOut ? { kind: 'clear', path } : { kind: 'set', path, value });
  };
  return (
    <div class="choices">
      {options.map((option, index) => (
        <label key={index} class="check-row">
          <input type="checkbox" checked={chosen.includes(index)} onChange={() => toggle(index)} />
          <span>{visible(option.label)}</span>
        </label>
      ))}
    </div>
  );
}

export function JsonControl({ form, field }: ControlProps<JsonField>): JSX.Element {
  return (
    <textarea
      {...common(form, field)}
      class="field json-text"
      spellcheck={false}
      placeholder="JSON"
      rows={Math.min(12, Math.max(2, field.text.split('\n').length))}
      value={field.text}
      onInput={({ currentTarget }) => form.edit({ kind: 'type', field, text: currentTarget.value })}
    />
  );
}
