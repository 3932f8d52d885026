// The path from an entry to one of its fields, which locates and names the field.

/** Keys and indexes. */
export type FieldPath = readonly (string | number)[];

/** The name of a field, as people write it: `args[1]`, `env.TOKEN`. */
export function fieldName(path: FieldPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? shorten(step) : `.${shorten(step)}`;
    })
    .join('');
}

/** Limits a user's text in a message: a name may be as long as a file. */
const MAX_SHOWN = 80;

export function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
