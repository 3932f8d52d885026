// What the scanner reports about a definition. `danger` keeps a tool from a model until the user has reviewed
// it; `notice` is only information.

/** The way to a value inside a definition, from the outside in. */
export type FieldPath = readonly (string | number)[];

export type ScanCheck =
  /** Characters that people do not see and models read. */
  | 'hidden-characters'
  /** Words to the model that have nothing to do with using the tool. */
  | 'injected-instructions'
  /** A command, or such words, in an encoding. */
  | 'encoded-payload'
  /** It passes itself off as a tool of another server, or speaks of one. */
  | 'shadowing'
  /** There is more of it than is looked through. */
  | 'unread';

export interface ScanFinding {
  readonly check: ScanCheck;
  readonly severity: 'danger' | 'notice';
  /** Where in the definition. */
  readonly path: FieldPath;
  /** What was found, shortened, with everything invisible written out. */
  readonly excerpt: string;
}
