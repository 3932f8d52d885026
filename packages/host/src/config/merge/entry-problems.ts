// Finds the problems that an entry would have in a file, before it is written: the next start must be able to
// read it.

import { checkName, readFields } from '../fields/index.ts';
import { type Diagnostic, type Finding, locate } from '../text/index.ts';
import { readEntry } from './read-entry.ts';

export interface EntryToWrite {
  readonly file: string;
  readonly name: string;
  /** As it would be in the file. */
  readonly entry: unknown;
}

/** All findings about an entry that is not merged with others. */
export function entryFindings(name: string, entry: unknown): readonly Finding[] {
  const badName = checkName(name);
  return badName === undefined ? readEntry(entry).findings : [badName];
}

/** Only errors: a warning does not prevent writing. */
export function entryProblems(written: EntryToWrite): readonly Diagnostic[] {
  return errorsOf(written, entryFindings(written.name, written.entry));
}

/** The same for an entry that may be a patch. */
export function patchProblems(written: EntryToWrite): readonly Diagnostic[] {
  const badName = checkName(written.name);
  const findings = badName === undefined ? readFields(written.entry).findings : [badName];
  return errorsOf(written, findings);
}

/** The problems that a change of an entry would add. */
export function newProblems(
  before: EntryToWrite,
  after: Pick<EntryToWrite, 'entry'>,
): readonly Diagnostic[] {
  const known = new Set(patchProblems(before).map(({ message }) => message));
  const problems = patchProblems({ ...before, ...after });
  return problems.filter(({ message }) => !known.has(message));
}

function errorsOf(
  { file, name }: EntryToWrite,
  findings: readonly Finding[],
): readonly Diagnostic[] {
  const at = () => ({ file, line: 0, column: 0 });
  return findings
    .filter(({ severity }) => severity === 'error')
    .map((finding) => locate(finding, { server: name, keyAt: at, valueAt: at }));
}
