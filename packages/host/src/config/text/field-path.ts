// The way from an entry down to one of its fields, for finding its place and for naming it.

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

/** Of a user's text in a message: a name may be as long as a file. */
const LONGEST = 80;

export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
