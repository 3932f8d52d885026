// One source's word about one server: the name, where it was written, and what came of checking it.

import type { Diagnostic } from './diagnostic.ts';
import { type EntryPlace, locate } from './finding.ts';
import type { Origin, Scope } from './scope.ts';
import { readEntry } from './read-entry.ts';
import type { ServerEntry } from './server-entry.ts';
import { checkName } from './server-name.ts';

export interface Claim {
  readonly name: string;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly place: EntryPlace;
  /** What a relative `cwd` is relative to. */
  readonly folder: string;
  /** Absent where the entry is unusable; then a diagnostic is an error. */
  readonly entry?: ServerEntry;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Written {
  readonly name: string;
  readonly value: unknown;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly place: EntryPlace;
  readonly folder: string;
  /** Set where the text of the entry is broken, so that its value means nothing. */
  readonly broken?: Diagnostic;
}

export function claim({ value, broken, ...source }: Written): Claim {
  if (broken !== undefined) return { ...source, diagnostics: [broken] };
  const { name, place } = source;
  const badName = checkName(name);
  if (badName !== undefined) return { ...source, diagnostics: [locate(badName, place)] };
  const { entry, findings } = readEntry(value);
  const diagnostics = findings.map((finding) => locate(finding, place));
  return { ...source, ...(entry === undefined ? {} : { entry }), diagnostics };
}
