// One place that configuration comes from, read: its claims, and what is wrong with it as a whole.

import { type Claim, claim } from './claim.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { ConfigFile } from './locate-files.ts';
import { readConfigFile, type ReadFile } from './read-file.ts';

export interface Source {
  readonly file: ConfigFile;
  readonly state: ReadFile['state'];
  readonly claims: readonly Claim[];
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `first` is the position of the first file among all sources. */
export function readSources(
  files: readonly ConfigFile[],
  first: number,
): Promise<readonly Source[]> {
  return Promise.all(
    files.map(async (file, index) => sourceOf(file, first + index, await readConfigFile(file))),
  );
}

function sourceOf(file: ConfigFile, position: number, content: ReadFile): Source {
  if (content.state === 'missing') return { file, state: 'missing', claims: [], diagnostics: [] };
  const { scope, folder } = file;
  const claims = content.servers.map(({ keyAt, valueAt, ...written }) =>
    claim({
      ...written,
      scope,
      position,
      folder,
      origin: { kind: 'file', ...keyAt([]) },
      place: { server: written.name, keyAt, valueAt },
    }),
  );
  const diagnostics = [...content.diagnostics, ...claims.flatMap((claimed) => claimed.diagnostics)];
  return { file, state: content.state, claims, diagnostics: diagnostics.toSorted(byPlace) };
}

export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column;
}
