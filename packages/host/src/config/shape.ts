// What a value of the configuration may be, as data: each shape finds what is wrong with a value and
// says where. Written by hand because every command reads the configuration before it does anything,
// and loading a schema library takes about as long as starting Node.

import { isObject } from '@plugboard/base';
import type { FieldPath } from './field-path.ts';

export interface ShapeProblem {
  readonly kind: 'wrong-type' | 'bad-value' | 'bad-key';
  readonly path: FieldPath;
  /** Reads on after the name of the field: "must be text". */
  readonly words: string;
}

export interface Shape<T> {
  problems(value: unknown, path: FieldPath): readonly ShapeProblem[];
  /** Only for the type that values of this shape have; never set. */
  readonly type?: T;
}

/** The type of the values that a shape lets through. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

interface Rule {
  readonly pattern: RegExp;
  readonly words: string;
}

export function text(rule?: Rule): Shape<string> {
  return {
    problems(value, path) {
      if (typeof value !== 'string') return [{ kind: 'wrong-type', path, words: 'must be text' }];
      if (rule === undefined || rule.pattern.test(value)) return [];
      return [{ kind: 'bad-value', path, words: rule.words }];
    },
  };
}

export const flag: Shape<boolean> = {
  problems: (value, path) =>
    typeof value === 'boolean'
      ? []
      : [{ kind: 'wrong-type', path, words: 'must be true or false' }],
};

export interface Range {
  readonly min: number;
  readonly max: number;
  /** What is counted, for the words: "milliseconds". */
  readonly unit: string;
}

export function wholeNumber({ min, max, unit }: Range): Shape<number> {
  const of = unit === '' ? '' : ` of ${unit}`;
  return {
    problems(value, path) {
      const wrong = (kind: ShapeProblem['kind'], words: string) => [{ kind, path, words }];
      if (typeof value !== 'number') return wrong('wrong-type', `must be a number${of}`);
      if (!Number.isInteger(value)) return wrong('wrong-type', `must be a whole number${of}`);
      if (value < min) return wrong('bad-value', `must be at least ${min}`);
      if (value > max) return wrong('bad-value', `must be at most ${max}`);
      return [];
    },
  };
}

export function oneOf<const Word extends string>(words: readonly Word[]): Shape<Word> {
  const quoted = words.map((word) => `"${word}"`);
  const all = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return {
    problems: (value, path) =>
      words.some((word) => word === value)
        ? []
        : [{ kind: 'bad-value', path, words: `must be ${all}` }],
  };
}

export const listOfText: Shape<readonly string[]> = {
  problems(value, path) {
    if (!Array.isArray(value)) {
      return [{ kind: 'wrong-type', path, words: 'must be a list of texts' }];
    }
    return value.flatMap((item, index) => text().problems(item, [...path, index]));
  },
};

export const anyObject: Shape<Readonly<Record<string, unknown>>> = {
  problems: (value, path) =>
    isObject(value) ? [] : [{ kind: 'wrong-type', path, words: 'must be an object' }],
};

/** An object of texts whose keys keep a rule. */
export function textsByName(rule: Rule): Shape<Readonly<Record<string, string>>> {
  return {
    problems(value, path) {
      if (!isObject(value)) {
        return [{ kind: 'wrong-type', path, words: 'must be an object of texts' }];
      }
      return Object.entries(value).flatMap(([key, item]): readonly ShapeProblem[] => {
        const at = [...path, key];
        if (!rule.pattern.test(key)) return [{ kind: 'bad-key', path: at, words: rule.words }];
        return text().problems(item, at);
      });
    },
  };
}

type Fields = Readonly<Record<string, Shape<unknown>>>;

export interface ObjectShape<F extends Fields> extends Shape<{
  readonly [Key in keyof F]?: Shaped<F[Key]> | undefined;
}> {
  readonly keys: readonly (keyof F & string)[];
}

/** Every field may be left out; fields that are not named are not looked at. */
export function fields<const F extends Fields>(shapes: F): ObjectShape<F> {
  return {
    keys: Object.keys(shapes),
    problems(value, path) {
      if (!isObject(value)) return [{ kind: 'wrong-type', path, words: 'must be an object' }];
      return Object.entries(shapes).flatMap(([key, shape]) => {
        const item = value[key];
        return item === undefined ? [] : shape.problems(item, [...path, key]);
      });
    },
  };
}
