// Questions with the files that answer them. A set is about one repository, by default another than this one.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export interface Question {
  readonly query: string;
  /** Paths in the repository; any of them is right. */
  readonly relevant: readonly string[];
}

export interface QuestionSet {
  readonly name: string;
  /** The URL of the repository; `.` is this project. */
  readonly repository: string;
  /** The searched folder of the repository. */
  readonly root: string;
  readonly queries: readonly Question[];
}

const THIS_PROJECT = fileURLToPath(new URL('../../', import.meta.url));

export function readSets(files: readonly string[]): readonly QuestionSet[] {
  return files.flatMap(
    (file) =>
      (JSON.parse(readFileSync(file, 'utf8')) as { readonly sets: readonly QuestionSet[] }).sets,
  );
}

/** The folder to search; `undefined` if its repository was not given. */
export function folderOf(
  { name, repository, root }: QuestionSet,
  repos: string | undefined,
): string | undefined {
  if (repository === '.') return join(THIS_PROJECT, root);
  return repos === undefined ? undefined : join(repos, name, root);
}
