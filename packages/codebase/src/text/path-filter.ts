// Filters files by globs and languages. All tools with such arguments use it, so that they mean the same everywhere.

import { ok, type Result } from '@plugboard/base';
import { type GlobFilter, globFilter } from './glob.ts';
import { globsOf, type Languages, readLanguages } from './languages.ts';
import { problem, type QueryProblem } from './text-query.ts';

export interface FileChoice {
  readonly globs?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
}

export class PathFilters {
  readonly #root: { readonly path: string };
  #languages: Promise<Languages> | undefined;

  constructor(root: { readonly path: string }) {
    this.#root = root;
  }

  /** The filter is `undefined` if all files are accepted. */
  async of({
    globs = [],
    languages = [],
  }: FileChoice): Promise<Result<GlobFilter | undefined, QueryProblem>> {
    if (globs.length === 0 && languages.length === 0) return ok(undefined);
    const byGlob = globFilter(globs);
    if (!byGlob.ok) return problem('glob-invalid', byGlob.error);
    if (languages.length === 0) return byGlob;
    this.#languages ??= readLanguages(this.#root.path);
    const named = globsOf(languages, await this.#languages);
    if (!named.ok) return problem('language-unknown', named.error);
    const byLanguage = globFilter(named.value, { most: named.value.length });
    if (!byLanguage.ok) return problem('language-unknown', byLanguage.error);
    return ok((path) => byLanguage.value(path) && byGlob.value(path));
  }
}
