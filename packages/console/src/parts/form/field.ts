// The fields of a form as data. Texts are those of the server, cut to a maximum length.

import type { Json } from '@plugboard/base';
import type { Path } from './path.ts';

export interface FieldFacts {
  readonly path: Path;
  /** The JSON pointer of its value. */
  readonly id: string;
  readonly label: string;
  readonly description: string | undefined;
  /** The constraints of the value, in words. */
  readonly hint: string | undefined;
  /** The problem of the value. */
  readonly problem: string | undefined;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Whether there is a value. */
  readonly isPresent: boolean;
  /** Whether `null` is allowed. */
  readonly isNullable: boolean;
  /** Whether the value is `null`. */
  readonly isNull: boolean;
  /** Whether the schema does not name this property, so that it can be renamed and removed. */
  readonly isExtra: boolean;
}

export interface TextField extends FieldFacts {
  readonly kind: 'text';
  readonly text: string;
  readonly format: string | undefined;
  readonly placeholder: string | undefined;
  readonly isLong: boolean;
}

export interface NumberField extends FieldFacts {
  readonly kind: 'number';
  /** The typed text, or else the number. */
  readonly text: string;
  readonly isInteger: boolean;
  readonly placeholder: string | undefined;
}

export interface BooleanField extends FieldFacts {
  readonly kind: 'boolean';
  readonly value: boolean | undefined;
}

/** One of several values. */
export interface ChoiceField extends FieldFacts {
  readonly kind: 'choice';
  readonly options: readonly Choice[];
  readonly chosen: number | undefined;
}

export interface Choice {
  readonly label: string;
  readonly value: Json;
}

/** Any of several values, each once. */
export interface ChoicesField extends FieldFacts {
  readonly kind: 'choices';
  readonly options: readonly Choice[];
  readonly chosen: readonly number[];
}

export interface ObjectField extends FieldFacts {
  readonly kind: 'object';
  readonly fields: readonly Field[];
  /** Whether properties that the schema does not name can be added. */
  readonly isOpen: boolean;
  /** Properties of the schema that are left out because there are too many. */
  readonly offered: readonly string[];
}

export interface ListField extends FieldFacts {
  readonly kind: 'list';
  readonly items: readonly Field[];
  readonly canAdd: boolean;
  /** The number of items that are not shown. */
  readonly hidden: number;
}

/** A choice between the variants of `oneOf`, `anyOf` or several types. */
export interface VariantField extends FieldFacts {
  readonly kind: 'variant';
  readonly variants: readonly string[];
  readonly chosen: number;
  readonly field: Field | undefined;
}

/** Any JSON: the schema does not restrict it, or the value does not match the schema. */
export interface JsonField extends FieldFacts {
  readonly kind: 'json';
  readonly text: string;
}

/** A schema that no value fits. */
export interface ImpossibleField extends FieldFacts {
  readonly kind: 'impossible';
}

export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ChoicesField
  | ObjectField
  | ListField
  | VariantField
  | JsonField
  | ImpossibleField;

/** The fields with problems, in the order of the form. */
export function problemsOf(field: Field): readonly Field[] {
  const own = field.problem === undefined ? [] : [field];
  return [...own, ...childrenOf(field).flatMap(problemsOf)];
}

export function childrenOf(field: Field): readonly Field[] {
  if (field.kind === 'object') return field.fields;
  if (field.kind === 'list') return field.items;
  return field.kind === 'variant' && field.field !== undefined ? [field.field] : [];
}
