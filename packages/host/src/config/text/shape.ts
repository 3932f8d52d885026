// Describes the valid values of a setting as data: a shape finds the problems of a value, each with its path.
// Written by hand because every command reads the configuration first, and loading a schema library takes
// about as long as starting Node.

import { isObject } from '@plugboard/base';
import { fieldName, type FieldPath } from './field-path.ts';

export interface ShapeProblem {
  readonly kind: 'wrong-type' | 'bad-value' | 'bad-key';
  /** Relative to the value that was checked. */
  readonly path: FieldPath;
  /** Continues a sentence that begins with the name of the field: "must be text". */
  readonly words: string;
}

export interface NamedProblem {
  readonly on: 'key' | 'value';
  readonly code: 'wrong-type' | 'bad-value';
  /** Begins a message. */
  readonly reason: string;
  readonly field: string;
}

/** `above`: the path of the value that was checked. A bad key is reported of the object that has it. */
export function nameProblem(
  { kind, path, words }: ShapeProblem,
  above: FieldPath = [],
): NamedProblem {
  const isKey = kind === 'bad-key';
  const field = fieldName([...above, ...(isKey ? path.slice(0, -1) : path)]);
  const reason = `"${field}" ${words}`;
  return isKey
    ? { on: 'key', code: 'bad-value', reason, field }
    : { on: 'value', code: kind, reason, field };
}

export interface Shape<T, F extends Form = Form> {
  problems(value: unknown): readonly ShapeProblem[];
  /** The same rules as data, which json-schema.ts converts to JSON Schema. */
  readonly form: F;
  /** Only for the type that values of this shape have; never set. */
  readonly type?: T;
}

export type AnyShape = Shape<unknown>;

export type Form =
  | { readonly kind: 'text'; readonly pattern?: RegExp }
  | { readonly kind: 'flag' }
  | { readonly kind: 'whole-number'; readonly min: number; readonly max: number }
  | { readonly kind: 'number' }
  | { readonly kind: 'any' }
  | { readonly kind: 'one-of'; readonly words: readonly string[] }
  | TextOrForm<AnyShape>
  | ListForm<AnyShape>
  | MapForm<AnyShape>
  | FlagOrForm<AnyShape>
  | FieldsForm<Fields>
  | OneFieldForm<Fields>;

export interface TextOrForm<S> {
  readonly kind: 'text-or';
  readonly text: Shape<string>;
  readonly item: S;
}

export interface FlagOrForm<S> {
  readonly kind: 'flag-or';
  readonly item: S;
}

export interface ListForm<S> {
  readonly kind: 'list';
  readonly item: S;
  /** The minimum number of items. */
  readonly least: number;
}

export interface MapForm<S> {
  readonly kind: 'map';
  readonly names: NameRule;
  readonly item: S;
}

export interface FieldsForm<F> {
  readonly kind: 'fields';
  readonly shapes: F;
  /** The fields that must be present, and the minimum number of fields. */
  readonly required?: readonly string[];
  readonly least?: number;
}

export interface OneFieldForm<F> {
  readonly kind: 'one-field';
  readonly shapes: F;
}

/** The type of the values that a shape accepts. */
export type ShapeValue<S> = S extends Shape<infer T> ? T : never;

interface Rule {
  readonly pattern: RegExp;
  readonly words: string;
}

export interface NameRule extends Rule {
  /** Names that match the pattern but have another meaning. */
  readonly reserved?: readonly string[];
}

export function text(rule?: Rule): Shape<string> {
  return {
    form: { kind: 'text', ...(rule === undefined ? {} : { pattern: rule.pattern }) },
    problems(value) {
      if (typeof value !== 'string') return problem('wrong-type', 'must be text');
      if (rule === undefined || rule.pattern.test(value)) return NONE;
      return problem('bad-value', rule.words);
    },
  };
}

export const notEmpty = text({ pattern: /[\s\S]/, words: 'must not be empty' });
export const notBlank = text({ pattern: /\S/, words: 'must not be empty' });

/** Accepts any text, which should be one of these words. The reader of the setting suggests the nearest one. */
export function knownWord(words: readonly string[]): Shape<string> {
  const anyText = text();
  return {
    form: { kind: 'one-of', words },
    problems: (value) => anyText.problems(value),
  };
}

export const flag: Shape<boolean> = {
  form: { kind: 'flag' },
  problems: (value) =>
    typeof value === 'boolean' ? NONE : problem('wrong-type', 'must be true or false'),
};

export const number: Shape<number> = {
  form: { kind: 'number' },
  problems: (value) =>
    typeof value === 'number' ? NONE : problem('wrong-type', 'must be a number'),
};

/** Not checked here; the code that uses the value checks it. */
export const anyValue: Shape<unknown> = { form: { kind: 'any' }, problems: () => NONE };

/** A text as the short form, or a longer form. */
export function textOr<const S extends AnyShape>(
  short: Shape<string>,
  item: S,
): Shape<string | ShapeValue<S>, TextOrForm<S>> {
  return {
    form: { kind: 'text-or', text: short, item },
    problems: (value) => (typeof value === 'string' ? short : item).problems(value),
  };
}

/** A boolean as the short form, or a longer form. */
export function flagOr<const S extends AnyShape>(
  item: S,
): Shape<boolean | ShapeValue<S>, FlagOrForm<S>> {
  return {
    form: { kind: 'flag-or', item },
    problems: (value) => (typeof value === 'boolean' ? NONE : item.problems(value)),
  };
}

export interface Range {
  readonly min: number;
  readonly max: number;
  /** The unit for messages, such as "milliseconds". */
  readonly unit: string;
}

export function wholeNumber({ min, max, unit }: Range): Shape<number> {
  const of = unit === '' ? '' : ` of ${unit}`;
  return {
    form: { kind: 'whole-number', min, max },
    problems(value) {
      if (typeof value !== 'number') return problem('wrong-type', `must be a number${of}`);
      if (!Number.isInteger(value)) return problem('wrong-type', `must be a whole number${of}`);
      if (value < min) return problem('bad-value', `must be at least ${min}`);
      if (value > max) return problem('bad-value', `must be at most ${max}`);
      return NONE;
    },
  };
}

/** Timers count in 31 bits; a longer one would fire at once. */
export const MAX_MILLISECONDS = 2_147_483_647;

export function millisecondsFrom(min: number): Shape<number> {
  return wholeNumber({ min, max: MAX_MILLISECONDS, unit: 'milliseconds' });
}

export const milliseconds = millisecondsFrom(1);

/** `others`: the alternatives to these words that the field also accepts, for messages. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  ...others: readonly string[]
): Shape<Word> {
  const named = [...words.map((word) => `"${word}"`), ...others];
  const all = `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
  return {
    form: { kind: 'one-of', words },
    problems: (value) =>
      words.some((word) => word === value) ? NONE : problem('bad-value', `must be ${all}`),
  };
}

export function listOf<const S extends AnyShape>(
  item: S,
  { words, least = 0 }: { readonly words: string; readonly least?: number },
): Shape<readonly ShapeValue<S>[], ListForm<S>> {
  return {
    form: { kind: 'list', item, least },
    problems(value) {
      if (!Array.isArray(value)) return problem('wrong-type', words);
      if (value.length < least) return problem('bad-value', words);
      const found: ShapeProblem[] = [];
      value.forEach((one, index) => addBelow(found, index, item.problems(one)));
      return found;
    },
  };
}

export const listOfText = listOf(text(), { words: 'must be a list of texts' });

/** An object whose keys follow a rule and whose values have one shape. */
export function mapOf<const S extends AnyShape>(
  item: S,
  { names, words }: { readonly names: NameRule; readonly words: string },
): Shape<Readonly<Record<string, ShapeValue<S>>>, MapForm<S>> {
  const { pattern, reserved = [] } = names;
  return {
    form: { kind: 'map', names, item },
    problems(value) {
      if (!isObject(value)) return problem('wrong-type', words);
      const found: ShapeProblem[] = [];
      Object.keys(value).forEach((key) => {
        const isName = pattern.test(key) && !reserved.includes(key);
        addBelow(found, key, isName ? item.problems(value[key]) : problem('bad-key', names.words));
      });
      return found;
    },
  };
}

/** An object whose keys follow a rule and whose values are texts. */
export function textsByName(names: NameRule): Shape<Readonly<Record<string, string>>> {
  return mapOf(text(), { names, words: 'must be an object of texts' });
}

type Fields = Readonly<Record<string, AnyShape>>;

type FieldValues<F extends Fields> = {
  readonly [Key in keyof F]?: ShapeValue<F[Key]> | undefined;
};

export interface ObjectShape<F extends Fields> extends Shape<FieldValues<F>, FieldsForm<F>> {
  readonly keys: readonly (keyof F & string)[];
}

/** An object whose fields are all optional; unknown fields are ignored. */
export function fields<const F extends Fields>(shapes: F): ObjectShape<F> {
  const keys = Object.keys(shapes);
  return {
    form: { kind: 'fields', shapes },
    keys,
    problems(value) {
      if (!isObject(value)) return problem('wrong-type', 'must be an object');
      const found: ShapeProblem[] = [];
      keys.forEach((key) => {
        const item = value[key];
        if (item !== undefined) addBelow(found, key, shapes[key]?.problems(item) ?? NONE);
      });
      return found;
    },
  };
}

/** An object with no unknown fields; some of its fields may be required. */
export function exactFields<const F extends Fields>(
  shapes: F,
  {
    required = [],
    least = 0,
  }: { readonly required?: readonly string[]; readonly least?: number } = {},
): ObjectShape<F> {
  const open = fields(shapes);
  const all = open.keys.map((key) => `"${key}"`).join(', ');
  return {
    ...open,
    form: { ...open.form, required, least },
    problems(value) {
      if (!isObject(value)) return problem('wrong-type', 'must be an object');
      const keys = Object.keys(value);
      const missing = required.filter((key) => value[key] === undefined);
      if (missing.length > 0) return problem('bad-value', `must have "${missing[0]}"`);
      if (keys.length < least) return problem('bad-value', `must have at least ${least} of ${all}`);
      const found: ShapeProblem[] = [];
      keys
        .filter((key) => !Object.hasOwn(shapes, key))
        .forEach((key) => addBelow(found, key, problem('bad-key', `can only have ${all}`)));
      return [...found, ...open.problems(value)];
    },
  };
}

/** An object with exactly one of these fields. */
export function oneField<const F extends Fields>(
  shapes: F,
): Shape<FieldValues<F>, OneFieldForm<F>> {
  const all = Object.keys(shapes).map((key) => `"${key}"`);
  const words = `must be an object with exactly one of ${all.join(', ')}`;
  return {
    form: { kind: 'one-field', shapes },
    problems(value) {
      if (!isObject(value)) return problem('wrong-type', words);
      const [key, ...others] = Object.keys(value);
      const shape = key !== undefined && Object.hasOwn(shapes, key) ? shapes[key] : undefined;
      if (key === undefined || shape === undefined || others.length > 0) {
        return problem('bad-value', words);
      }
      const found: ShapeProblem[] = [];
      addBelow(found, key, shape.problems(value[key]));
      return found;
    },
  };
}

/** Shared, since most values are valid. */
const NONE: readonly ShapeProblem[] = [];

function problem(kind: ShapeProblem['kind'], words: string): readonly ShapeProblem[] {
  return [{ kind, path: [], words }];
}

/** Adds the problems of one item of a value to the problems of the value. */
function addBelow(
  found: ShapeProblem[],
  step: string | number,
  below: readonly ShapeProblem[],
): void {
  if (below.length === 0) return;
  below.forEach(({ kind, path, words }) => found.push({ kind, path: [step, ...path], words }));
}
