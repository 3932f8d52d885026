// What would be wrong with an entry if it stood in a file: what is written must be readable again, or
// the next start would complain.

import { checkName, readFields } from '../fields/index.ts';
import { type Diagnostic, type Finding, locate } from '../text/index.ts';
import { readEntry } from './read-entry.ts';

export interface EntryToWrite {
  readonly file: string;
  readonly name: string;
  /** As it is to stand in the file. */
  readonly entry: unknown;
}

/** All that is to say about an entry that stands alone. */
export function entryFindings(name: string, entry: unknown): readonly Finding[] {
  const badName = checkName(name);
  return badName === undefined ? readEntry(entry).findings : [badName];
}

/** Errors only; a warning does not prevent writing. */
export function entryProblems(written: EntryToWrite): readonly Diagnostic[] {
  return errorsOf(written, entryFindings(written.name, written.entry));
}

/** The same for one that may only change what another entry defines. */
export function patchProblems(written: EntryToWrite): readonly Diagnostic[] {
  const badName = checkName(written.name);
  const findings = badName === undefined ? readFields(written.entry).findings : [badName];
  return errorsOf(written, findings);
}

/** What a change of an entry would make wrong with it that was not wrong before. */
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
