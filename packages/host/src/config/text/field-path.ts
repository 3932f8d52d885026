// The way from an entry down to one of its fields, for finding its place and for naming it.

import { shorten } from './shorten.ts';

/** Keys and indexes. */
export type FieldPath = readonly (string | number)[];

/** A field as people write it: `args[1]`, `env.TOKEN`. */
export function fieldName(path: FieldPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? shorten(step) : `.${shorten(step)}`;
    })
    .join('');
}
