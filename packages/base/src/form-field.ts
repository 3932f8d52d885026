// The fields of a form, as data that a user interface can show, with their kinds and limits. The forms of servers and the
// questions of plugins consist of the same fields. The reader of a form sanitizes and shortens its texts for display;
// names and values stay unchanged.

export interface Option {
  /** The value that is sent. */
  readonly value: string;
  /** The text that is shown; by default, the value. */
  readonly title: string;
}

interface FieldFacts {
  /** The key of the answer. */
  readonly name: string;
  /** The text that is shown; by default, the name. */
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
  /** The field seems to require a password or a token, so the input is not shown. For a server's form this is a guess. */
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

/** A field that the form of a server can have. */
export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** A path on this machine; `paths` accepts several. Only plugins have such fields. */
export interface PathField extends FieldFacts {
  readonly kind: 'path' | 'paths';
  readonly what: 'file' | 'directory';
  readonly default: undefined;
}

export type InputField = FormField | PathField;
