// A finding of the scanner in a definition. `danger` keeps a tool back until the user has reviewed it; `notice` is
// only information.

/** The path to a value inside a definition, from the outside in. */
export type FieldPath = readonly (string | number)[];

export type ScanCheck =
  /** Characters that users do not see but models read. */
  | 'hidden-characters'
  /** Instructions to the model that have nothing to do with using the tool. */
  | 'injected-instructions'
  /** An encoded command, or encoded instructions. */
  | 'encoded-payload'
  /** The tool poses as a tool of another server, or gives orders about one. */
  | 'shadowing'
  /** There is more text than is scanned. */
  | 'unread';

export interface ScanFinding {
  readonly check: ScanCheck;
  readonly severity: 'danger' | 'notice';
  /** The place in the definition. */
  readonly path: FieldPath;
  /** The found text, shortened, with invisible characters written out. */
  readonly excerpt: string;
}

export function hasDanger(findings: readonly ScanFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'danger');
}
