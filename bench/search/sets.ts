// Questions with the files that answer them. A set belongs to one repository, which is no part of this
// one unless the set says so.

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
  /** Where it is published; `.` is this project. */
  readonly repository: string;
  /** The folder of the repository that is searched. */
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

/** The folder to search; nothing if it depends on repositories and none were given. */
export function folderOf(
  { name, repository, root }: QuestionSet,
  repos: string | undefined,
): string | undefined {
  if (repository === '.') return join(THIS_PROJECT, root);
  return repos === undefined ? undefined : join(repos, name, root);
}
