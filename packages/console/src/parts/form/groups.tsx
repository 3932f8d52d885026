// Fields with parts: the properties of an object, the items of a list, and the variants of a value.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Text } from '../../text/text.tsx';
import { visible } from '../../text/visible.ts';
import { announce } from '../../ui/announce.tsx';
import { focusSoon } from '../../ui/focus.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Field, ListField, ObjectField, VariantField } from './field.ts';
import type { FormStore } from './form-store.ts';

interface GroupProps<Kind extends Field> {
  readonly form: FormStore;
  readonly field: Kind;
  readonly show: (field: Field) => JSX.Element;
}

export function ObjectFields({ form, field, show }: GroupProps<ObjectField>): JSX.Element {
  const { fields, isOpen, offered } = field;
  return (
    <div class="fields">
      {fields.length === 0 && !isOpen && <p class="faint">Nothing to fill in.</p>}
      {fields.map(show)}
      {(isOpen || offered.length > 0) && <AddProperty form={form} field={field} />}
    </div>
  );
}

function AddProperty({ form, field }: Omit<GroupProps<ObjectField>, 'show'>): JSX.Element {
  const name = useSignal('');
  const { offered, isOpen, path } = field;
  const listId = form.elementId(field.id, 'offered');
  const inputId = form.elementId(field.id, 'property');
  const isKnown = field.fields.some((one) => one.path.at(-1) === name.value);
  const canAdd = name.value !== '' && !isKnown && (isOpen || offered.includes(name.value));
  const add = (): void => {
    if (!canAdd) return;
    form.edit({ kind: 'add-property', path, name: name.value });
    name.value = '';
  };
  return (
    <div class="add-row">
      <label class="unseen" for={inputId}>
        Name of another property
      </label>
      <input
        id={inputId}
        class="field"
        list={offered.length > 0 ? listId : undefined}
        placeholder={offered.length > 0 ? `${offered.length} more properties` : 'another property'}
        autocomplete="off"
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      {offered.length > 0 && (
        <datalist id={listId}>
          {offered.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <button type="button" class="button" disabled={!canAdd} onClick={add}>
        Add
      </button>
    </div>
  );
}

export function ListItems({ form, field, show }: GroupProps<ListField>): JSX.Element {
  const { items, canAdd, hidden, path } = field;
  const add = (): void => {
    form.edit({ kind: 'add-item', path });
    focusSoon(form.elementId(`${field.id}/${items.length}`));
  };
  return (
    <>
      <ol class="items">
        {items.map((item, index) => (
          <li key={index} class="item">
            {show(item)}
            <ItemActions form={form} field={field} index={index} />
          </li>
        ))}
      </ol>
      {hidden > 0 && <p class="faint">{hidden} more items: see them as JSON.</p>}
      {canAdd && (
        <button type="button" class="button" onClick={add}>
          <Icon name="in" /> Add an item
          <span class="unseen"> to {visible(field.label)}</span>
        </button>
      )}
    </>
  );
}

interface ItemProps extends Omit<GroupProps<ListField>, 'show'> {
  readonly index: number;
}

function ItemActions({ form, field, index }: ItemProps): JSX.Element {
  const path = [...field.path, index];
  const move = (to: number): void => {
    form.edit({ kind: 'move', path, to });
    announce(`Moved to place ${to + 1}.`);
  };
  const remove = (): void => {
    form.edit({ kind: 'clear', path });
    announce(`Removed item ${index + 1}.`);
    focusSoon(form.elementId(field.id));
  };
  const last = field.items.length + field.hidden - 1;
  return (
    <span class="item-actions">
      <button
        type="button"
        class="icon-button up"
        aria-label={`Move item ${index + 1} up`}
        disabled={index === 0}
        onClick={() => move(index - 1)}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Move item ${index + 1} down`}
        disabled={index >= last}
        onClick={() => move(index + 1)}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove item ${index + 1}`}
        onClick={remove}
      >
        <Icon name="cross" />
      </button>
    </span>
  );
}

export function VariantChoice({ form, field, show }: GroupProps<VariantField>): JSX.Element {
  const id = form.elementId(field.id, 'variant');
  return (
    <div class="variant">
      <label class="field-label" for={id}>
        Kind
      </label>
      <select
        id={id}
        class="field"
        value={String(field.chosen)}
        onChange={({ currentTarget }) =>
          form.edit({ kind: 'choose', field, variant: Number(currentTarget.value) })
        }
      >
        {field.variants.map((label, index) => (
          <option key={index} value={String(index)}>
            {visible(label)}
          </option>
        ))}
      </select>
      {field.field !== undefined && <VariantParts form={form} field={field.field} show={show} />}
    </div>
  );
}

/** The properties of an object variant are drawn without another frame. */
function VariantParts({ form, field, show }: GroupProps<Field>): JSX.Element {
  return field.kind === 'object' ? (
    <>
      {field.description !== undefined && (
        <p class="field-about">
          <Text of={field.description} />
        </p>
      )}
      <ObjectFields form={form} field={field} show={show} />
    </>
  ) : (
    show(field)
  );
}
