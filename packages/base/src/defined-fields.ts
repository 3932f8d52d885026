/** The fields that have a value, for a type in which a field without a value is left out. */
export function definedFields<Fields extends object>(
  fields: Fields,
): { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as ReturnType<typeof definedFields<Fields>>;
}
