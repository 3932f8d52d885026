// The way from an entry down to one of its fields, for finding its place and for naming it.

/** Keys and indexes. */
export type FieldPath = readonly (string | number)[];

/** A field as people write it: `args[1]`, `env.TOKEN`. */
export function fieldName(path: FieldPath): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join('');
}
