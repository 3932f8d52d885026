// What a form asks, as data that a surface can show: each field with its kind and bounds. Texts are
// cleaned and cut for people; names and values are the server's, to the letter.

export interface Option {
  /** What is sent. */
  readonly value: string;
  /** What is shown; the value itself where the server has no better word. */
  readonly title: string;
}

interface FieldFacts {
  /** The key of the answer. */
  readonly name: string;
  /** What is shown; the name where the server has no better word. */
  readonly title: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

export interface TextField extends FieldFacts {
  readonly kind: 'text';
  readonly format: TextFormat | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly default: string | undefined;
  /** It seems to ask for a password or a token, which servers must not do. A guess. */
  readonly soundsSecret: boolean;
}

export interface NumberField extends FieldFacts {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly default: number | undefined;
}

export interface BooleanField extends FieldFacts {
  readonly kind: 'boolean';
  readonly default: boolean | undefined;
}

/** One of several. */
export interface ChoiceField extends FieldFacts {
  readonly kind: 'choice';
  readonly options: readonly Option[];
  readonly default: string | undefined;
}

/** Any of several. */
export interface ChoicesField extends FieldFacts {
  readonly kind: 'choices';
  readonly options: readonly Option[];
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly default: readonly string[] | undefined;
}

export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;
