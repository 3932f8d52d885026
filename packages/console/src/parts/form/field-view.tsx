// A field with its label, description and problem, and the control for its kind.

import type { ComponentChildren, JSX } from 'preact';
import { Text } from '../../text/text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { visible } from '../../text/visible.ts';
import {
  BooleanControl,
  ChoiceControl,
  ChoicesControl,
  JsonControl,
  NumberControl,
  TextControl,
} from './controls.tsx';
import type { Field } from './field.ts';
import type { FormStore } from './form-store.ts';
import { ListItems, ObjectFields, VariantChoice } from './groups.tsx';

export interface FieldProps<Kind extends Field = Field> {
  readonly form: FormStore;
  readonly field: Kind;
}

export function FieldView({ form, field }: FieldProps): JSX.Element {
  const show = (one: Field): JSX.Element => <FieldView key={one.id} form={form} field={one} />;
  switch (field.kind) {
    case 'object':
      return (
        <Group form={form} field={field}>
          <ObjectFields form={form} field={field} show={show} />
        </Group>
      );
    case 'list':
      return (
        <Group form={form} field={field}>
          <ListItems form={form} field={field} show={show} />
        </Group>
      );
    case 'variant':
      return (
        <Group form={form} field={field}>
          <VariantChoice form={form} field={field} show={show} />
        </Group>
      );
    case 'choices':
      return (
        <Group form={form} field={field}>
          <ChoicesControl form={form} field={field} />
        </Group>
      );
    default:
      return <Single form={form} field={field} />;
  }
}

function Single({ form, field }: FieldProps): JSX.Element {
  return (
    <div class="form-field">
      <div class="field-head">
        <label class="field-label" for={form.elementId(field.id)}>
          <Label field={field} />
        </label>
        <FieldActions form={form} field={field} />
      </div>
      <About form={form} field={field} />
      {field.isNull ? <span class="faint">null</span> : <Control form={form} field={field} />}
      <Problem form={form} field={field} />
    </div>
  );
}

function Control({ form, field }: FieldProps): JSX.Element | null {
  switch (field.kind) {
    case 'text':
      return <TextControl form={form} field={field} />;
    case 'number':
      return <NumberControl form={form} field={field} />;
    case 'boolean':
      return <BooleanControl form={form} field={field} />;
    case 'choice':
      return <ChoiceControl form={form} field={field} />;
    case 'json':
      return <JsonControl form={form} field={field} />;
    case 'impossible':
      return <span class="faint">The schema allows no value here.</span>;
    case 'object':
    case 'list':
    case 'variant':
    case 'choices':
      return null;
    default:
      return field satisfies never;
  }
}

interface GroupProps extends FieldProps {
  readonly children: ComponentChildren;
}

/** A field with parts. The outermost one has no frame. */
function Group({ form, field, children }: GroupProps): JSX.Element {
  const isRoot = field.path.length === 0;
  // An absent list or set of checkboxes is shown empty, without a button to add it.
  const isShown = field.isPresent || field.kind === 'list' || field.kind === 'choices';
  const inner = isShown ? children : <Start form={form} field={field} />;
  if (isRoot) {
    return (
      <>
        <Problem form={form} field={field} />
        {!field.isNull && inner}
      </>
    );
  }
  return (
    <fieldset
      class="form-field field-group"
      id={form.elementId(field.id)}
      tabIndex={-1}
      aria-describedby={form.describedBy(field)}
    >
      <legend class="unseen">{visible(field.label)}</legend>
      <div class="field-head">
        <span class="field-label" aria-hidden="true">
          <Label field={field} />
        </span>
        <FieldActions form={form} field={field} />
      </div>
      <About form={form} field={field} />
      {field.isNull ? <span class="faint">null</span> : inner}
      <Problem form={form} field={field} />
    </fieldset>
  );
}

function Start({ form, field }: FieldProps): JSX.Element {
  return (
    <button type="button" class="button" onClick={() => form.edit({ kind: 'start', field })}>
      <Icon name="in" /> Add {field.path.length === 0 ? 'a value' : <Text of={field.label} />}
    </button>
  );
}

function Label({ field }: { readonly field: Field }): JSX.Element {
  const { label, isRequired, isDeprecated, isExtra, path } = field;
  const isItem = typeof path.at(-1) === 'number';
  return (
    <>
      {path.length === 0 && label === '' ? 'Value' : <Text of={label} />}
      {isRequired && !isItem && path.length > 0 && (
        <span class="field-mark" title="required">
          {' '}
          required
        </span>
      )}
      {isDeprecated && <span class="field-mark"> deprecated</span>}
      {isExtra && <span class="field-mark"> not in the schema</span>}
    </>
  );
}

function FieldActions({ form, field }: FieldProps): JSX.Element {
  const { path, label, isNull, isNullable, isRequired, isPresent, isExtra } = field;
  const isItem = typeof path.at(-1) === 'number';
  const canClear = isPresent && path.length > 0 && !isItem && (!isRequired || isExtra);
  return (
    <span class="field-actions">
      {isNullable && (
        <label class="null-box">
          <input
            type="checkbox"
            checked={isNull}
            aria-label={`${visible(label)} is null`}
            onChange={() =>
              form.edit(isNull ? { kind: 'clear', path } : { kind: 'set', path, value: null })
            }
          />
          null
        </label>
      )}
      {canClear && (
        <button
          type="button"
          class="icon-button"
          aria-label={`Leave out ${visible(label)}`}
          title="Leave out"
          onClick={() => form.edit({ kind: 'clear', path })}
        >
          <Icon name="cross" />
        </button>
      )}
    </span>
  );
}

function About({ form, field }: FieldProps): JSX.Element | null {
  if (field.description === undefined && field.hint === undefined) return null;
  return (
    <p class="field-about" id={form.elementId(field.id, 'about')}>
      {field.description !== undefined && <Text of={field.description} />}
      {field.hint !== undefined && (
        <span class="field-hint">
          {field.description !== undefined && ' '}
          <Text of={field.hint} />
        </span>
      )}
    </p>
  );
}

function Problem({ form, field }: FieldProps): JSX.Element | null {
  const problem = form.problemOf(field);
  if (problem === undefined) return null;
  return (
    <p class="field-problem" id={form.elementId(field.id, 'problem')}>
      {problem}
    </p>
  );
}
