// What a form asks, as data that a surface can show: each field with its kind and bounds. The forms of servers and the
// questions of plugins are made of the same fields. The reader of a form cleans and cuts its texts for people; names and
// values stay as they were written.

export interface Option {
  /** What is sent. */
  readonly value: string;
  /** What is shown; the value itself where the form has no better word. */
  readonly title: string;
}

interface FieldFacts {
  /** The key of the answer. */
  readonly name: string;
  /** What is shown; the name where the form has no better word. */
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
  /** It seems to ask for a password or a token, so what is typed is not shown. Of a server's form this is a guess. */
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

/** What the form of a server can ask. */
export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** A place on this machine; `paths` takes several. Only plugins ask for one. */
export interface PathField extends FieldFacts {
  readonly kind: 'path' | 'paths';
  readonly what: 'file' | 'directory';
  readonly default: undefined;
}

export type InputField = FormField | PathField;
