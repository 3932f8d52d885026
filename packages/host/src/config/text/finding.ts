// What is wrong with a part of an entry, said without knowing where that part was written; and the
// step from there to a diagnostic, which knows. So every check of an entry is a function of data.

import type { Diagnostic, DiagnosticCode, Position } from './diagnostic.ts';
import type { FieldPath } from './field-path.ts';

export interface Finding {
  readonly severity: Diagnostic['severity'];
  readonly code: DiagnosticCode;
  readonly path: FieldPath;
  /** Whether the key at that path is the trouble, or what it holds. */
  readonly on: 'key' | 'value';
  readonly message: string;
  readonly suggestion: string;
}

/** Where an entry and its parts were written. */
export interface EntryPlace {
  readonly server: string;
  /** Where the key at a path is, or the nearest thing around it. */
  readonly keyAt: (path: FieldPath) => Position;
  /** Where the value at a path is, or the nearest thing around it. */
  readonly valueAt: (path: FieldPath) => Position;
}

export function locate(finding: Finding, place: EntryPlace): Diagnostic {
  const { severity, code, path, on, message, suggestion } = finding;
  const at = on === 'key' ? place.keyAt(path) : place.valueAt(path);
  return { severity, code, message, suggestion, ...at, server: place.server };
}
