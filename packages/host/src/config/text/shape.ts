// What a value of the configuration may be, as data: each shape finds what is wrong with a value and
// says where. Written by hand because every command reads the configuration before it does anything,
// and loading a schema library takes about as long as starting Node.

import { isObject } from '@plugboard/base';
import type { FieldPath } from './field-path.ts';

export interface ShapeProblem {
  readonly kind: 'wrong-type' | 'bad-value' | 'bad-key';
  /** From the value that was looked at. */
  readonly path: FieldPath;
  /** Reads on after the name of the field: "must be text". */
  readonly words: string;
}

export interface Shape<T, F extends Form = Form> {
  problems(value: unknown): readonly ShapeProblem[];
  /** What it lets through, to look at: json-schema.ts says the same in the words of JSON Schema. */
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
  /** How many items it has at least. */
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
  /** Fields that may not be left out, and how many there must be at least. */
  readonly required?: readonly string[];
  readonly least?: number;
}

export interface OneFieldForm<F> {
  readonly kind: 'one-field';
  readonly shapes: F;
}

/** The type of the values that a shape lets through. */
export type ShapeValue<S> = S extends Shape<infer T> ? T : never;

interface Rule {
  readonly pattern: RegExp;
  readonly words: string;
}

export interface NameRule extends Rule {
  /** Names that the pattern lets through and that mean something else. */
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

/** Text that should be one of these words. The reader of the setting suggests which was probably meant. */
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

/** A short form as text, or something with more to say. */
export function textOr<const S extends AnyShape>(
  short: Shape<string>,
  item: S,
): Shape<string | ShapeValue<S>, TextOrForm<S>> {
  return {
    form: { kind: 'text-or', text: short, item },
    problems: (value) => (typeof value === 'string' ? short : item).problems(value),
  };
}

/** Yes or no, or something with more to say. */
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
  /** What is counted, for the words: "milliseconds". */
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

/** `others`: what else the field takes that is not a word, for messages. */
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

/** An object of items of one shape, whose keys keep a rule. */
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

/** An object of texts whose keys keep a rule. */
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

/** Every field may be left out; fields that are not named are not looked at. */
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

/** The fields that are named and no others; some may have to be there. */
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

/** Exactly one of the fields, and nothing else. */
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

/** Most values are as they should be. */
const NONE: readonly ShapeProblem[] = [];

function problem(kind: ShapeProblem['kind'], words: string): readonly ShapeProblem[] {
  return [{ kind, path: [], words }];
}

/** Adds what is wrong with one item of a value to what is wrong with the value. */
function addBelow(
  found: ShapeProblem[],
  step: string | number,
  below: readonly ShapeProblem[],
): void {
  if (below.length === 0) return;
  below.forEach(({ kind, path, words }) => found.push({ kind, path: [step, ...path], words }));
}
