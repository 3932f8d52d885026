// Searches the files of one language for code of a shape, in a separate process: a pattern may be hostile, and parsing
// blocks. Ripgrep excludes files that lack the longest name of the pattern before anything is parsed.

import { type Clock, codeOf, err, ok, type Result } from '@plugboard/base';
import { GRAMMARS, hasGrammar, languageOf } from '../chunk/index.ts';
import { ripgrepProgram, runProgram, SIDE_LOST, SidePool } from '../platform/index.ts';
import { relativePathOf, WALK_ARGUMENTS } from '../scan/index.ts';
import { readPattern } from './pattern.ts';
import type { StructureJob, StructureMatch, StructureResult } from './structure-program.ts';

export interface StructureQuery {
  readonly pattern: string;
  /** The name in the table of languages. */
  readonly language: string;
  readonly rewrite?: string | undefined;
  /** A file or a folder; empty for the root. */
  readonly under: string;
  readonly limit: number;
}

export interface StructureFound {
  readonly matches: readonly StructureMatch[];
  /** How many files were parsed. */
  readonly read: number;
  readonly isComplete: boolean;
}

const PROGRAM = new URL('../../bundle/program/structure-program.mjs', import.meta.url);
const IDLE_MS = 10_000;
const MOST_MS_PER_JOB = 30_000;
/** How many files one job has; the search can end after each job. */
const FILES_PER_JOB = 200;
const MOST_FILES = 20_000;

export class StructureSearch {
  readonly #root: string;
  readonly #pool: SidePool<StructureJob, StructureResult>;

  constructor(root: { readonly path: string }, clock: Clock) {
    this.#root = root.path;
    this.#pool = new SidePool({
      program: PROGRAM,
      size: 1,
      clock,
      idleMs: IDLE_MS,
      mostMsPerJob: MOST_MS_PER_JOB,
    });
  }

  /** The matches, or a sentence on what is wrong with the query. */
  async find(query: StructureQuery, signal: AbortSignal): Promise<Result<StructureFound, string>> {
    const { pattern, language, rewrite, limit } = query;
    if (!hasGrammar(language)) {
      return err(
        `there is no grammar for ${JSON.stringify(language)}; some are ${Object.keys(GRAMMARS).join(', ')}`,
      );
    }
    const paths = await this.#candidates(query, signal);
    const matches: StructureMatch[] = [];
    let read = 0;
    let isComplete = paths.length <= MOST_FILES;
    const searched = paths.slice(0, MOST_FILES);
    for (let from = 0; from === 0 || from < searched.length; from += FILES_PER_JOB) {
      if (matches.length >= limit) {
        isComplete = false;
        break;
      }
      const some = searched.slice(from, from + FILES_PER_JOB);
      const job = { root: this.#root, language, pattern, rewrite, paths: some };
      const result = await this.#run({ ...job, limit: limit - matches.length }, signal);
      if (!result.ok) return result;
      if (result.value.kind !== 'found') return err(noPattern(pattern, language));
      matches.push(...result.value.matches);
      read += result.value.read;
    }
    return ok({ matches, read, isComplete });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run(job: StructureJob, signal: AbortSignal): Promise<Result<StructureResult, string>> {
    try {
      return ok(await this.#pool.run(job, signal));
    } catch (thrown) {
      if (codeOf(thrown) !== SIDE_LOST) throw thrown;
      return err('the pattern took too long in some file; make it longer, or name a path');
    }
  }

  async #candidates(
    { pattern, language, under }: StructureQuery,
    signal: AbortSignal,
  ): Promise<string[]> {
    const { literals } = readPattern(pattern);
    const longest = literals.toSorted((a, b) => b.length - a.length)[0];
    const how =
      longest === undefined
        ? ['--files', '--null']
        : ['--files-with-matches', '--null', '--fixed-strings', `--regexp=${longest}`];
    const run = runProgram({
      program: await ripgrepProgram(),
      args: [...WALK_ARGUMENTS, ...how, '--', under === '' ? './' : `./${under}`],
      cwd: this.#root,
      signal,
    });
    try {
      const pieces: Buffer[] = [];
      for await (const piece of run.output) pieces.push(piece);
      return Buffer.concat(pieces)
        .toString('utf8')
        .split('\0')
        .filter((name) => name !== '')
        .map(relativePathOf)
        .filter((path) => (languageOf(path) ?? language) === language)
        .toSorted();
    } finally {
      run.stop();
    }
  }
}

function noPattern(pattern: string, language: string): string {
  return `${JSON.stringify(pattern.slice(0, 200))} is no ${language} code; write code with $NAME for one piece and $$$NAME for many`;
}
