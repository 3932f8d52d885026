// A problem with a configuration: its place, and how to solve it. A message never contains the value of a variable
// or of a field, since values may be secrets. Printing is left to the caller.

import type { Origin } from './scope.ts';

export interface Position {
  readonly file: string;
  /** 1-based. 0 when the source is not a file (see `givenPosition`). */
  readonly line: number;
  /** 1-based, in UTF-16 units. 0 when the source is not a file. */
  readonly column: number;
}

export interface Diagnostic extends Position {
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  /** What is wrong, as a sentence without the position. */
  readonly message: string;
  /** What to do next, as a sentence. */
  readonly suggestion: string;
  /** The server that the problem is about, if any. */
  readonly server?: string;
}

/** Stable: programs may match these codes. */
export type DiagnosticCode =
  | 'unknown-server'
  | 'file-is-folder'
  | 'file-unreadable'
  | 'file-too-large'
  | 'file-not-text'
  | 'file-empty'
  | 'file-untrusted'
  | 'syntax'
  | 'too-deep'
  | 'wrong-type'
  | 'bad-value'
  | 'bad-name'
  | 'reserved-name'
  | 'unknown-key'
  | 'unused-key'
  | 'duplicate-key'
  | 'command-or-url'
  | 'unset-variable'
  | 'bad-placeholder'
  | 'missing-secret'
  | 'missing-identity-provider'
  | 'unreadable-secret'
  | 'bad-env-file'
  | 'withheld'
  | 'enterprise-exclusive'
  | 'connector-failed'
  | 'plugin-manifest'
  | 'plugin-platform'
  | 'plugin-not-configured'
  | 'plugin-duplicate';

/** For a setting that only has an effect in the user's own files. */
export function misplacedDiagnostic(what: string, at: Position): Diagnostic {
  return {
    severity: 'warning',
    code: 'unused-key',
    message: `${what} has no effect in a file that may have come with a project.`,
    suggestion: 'Move it into your own settings: plugboard config path --scope user',
    ...at,
  };
}

export function givenPosition(by: string): Position {
  return { file: `(${by})`, line: 0, column: 0 };
}

export function originPosition(origin: Origin): Position {
  if (origin.kind === 'given') return givenPosition(origin.by);
  const { file, line, column } = origin;
  return { file, line, column };
}

export function fileOrigin({ file, line, column }: Position): Origin {
  return { kind: 'file', file, line, column };
}
