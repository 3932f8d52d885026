// The way to a value inside a definition, from the outside in.

export type FieldPath = readonly (string | number)[];
