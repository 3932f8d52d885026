// A problem with a part of an entry, identified by its path. Checks of an entry are functions of its data alone;
// `locate` adds the position, which turns a finding into a diagnostic.

import type { Diagnostic, DiagnosticCode, Position } from './diagnostic.ts';
import type { FieldPath } from './field-path.ts';

export interface Finding {
  readonly severity: Diagnostic['severity'];
  readonly code: DiagnosticCode;
  readonly path: FieldPath;
  /** Whether the problem is the key at that path or its value. */
  readonly on: 'key' | 'value';
  readonly message: string;
  readonly suggestion: string;
}

/** The positions of an entry and its parts. */
export interface EntryPlace {
  readonly server: string;
  /** The position of the key at a path, or of the nearest ancestor that exists. */
  readonly keyAt: (path: FieldPath) => Position;
  /** The position of the value at a path, or of the nearest ancestor that exists. */
  readonly valueAt: (path: FieldPath) => Position;
}

export function locate(finding: Finding, place: EntryPlace): Diagnostic {
  const { severity, code, path, on, message, suggestion } = finding;
  const at = on === 'key' ? place.keyAt(path) : place.valueAt(path);
  return { severity, code, message, suggestion, ...at, server: place.server };
}
