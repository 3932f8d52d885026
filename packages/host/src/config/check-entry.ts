// Whether an entry may be written under a name: what would be wrong with it, once it stood in a file.

import type { Diagnostic } from './diagnostic.ts';
import { locate } from './finding.ts';
import { readEntry } from './read-entry.ts';
import { checkName } from './server-name.ts';

/** Errors only: what merely has no effect may be written. */
export function checkEntry(options: {
  readonly file: string;
  readonly name: string;
  readonly entry: unknown;
}): readonly Diagnostic[] {
  const { file, name, entry } = options;
  const at = () => ({ file, line: 0, column: 0 });
  const badName = checkName(name);
  const findings = badName === undefined ? readEntry(entry).findings : [badName];
  return findings
    .filter(({ severity }) => severity === 'error')
    .map((finding) => locate(finding, { server: name, keyAt: at, valueAt: at }));
}
