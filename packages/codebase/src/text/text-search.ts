// Searches the tree for text with ripgrep: as a stream of files, or as a ranked page. If there is a current index, ripgrep
// searches only the files that can match.

import {
  type Clock,
  deadline,
  DeadlineExceeded,
  err,
  never,
  ok,
  type Result,
} from '@plugboard/base';
import {
  giveBackMemory,
  mostArgumentBytes,
  PlainFiles,
  realFolder,
  ripgrepProgram,
  runProgram,
} from '../platform/index.ts';
import { complaintsIn, hasWalkedAll, listPaths, walkedPlaces } from '../scan/index.ts';
import type { GlobFilter } from './glob.ts';
import { PathFilters } from './path-filter.ts';
import { byRank, ranked, type RankedFile } from './rank.ts';
import { pageOf, queryKey } from './joint-page.ts';
import {
  type FileMatches,
  presented,
  type RankedResult,
  type SearchEnd,
  type TextPage,
} from './result-page.ts';
import {
  isPrintable,
  MOST_RANKED,
  patternArguments,
  portions,
  searchArguments,
} from './ripgrep-arguments.ts';
import { filesIn, type FoundFile } from './ripgrep-output.ts';
import {
  type CheckedQuery,
  checkQuery,
  type QueryProblem,
  type SearchProblem,
  type TextQuery,
} from './text-query.ts';
import type { TrigramIndex } from './trigram-index.ts';

export interface TextSearchOptions {
  readonly root: { readonly path: string };
  readonly clock: Clock;
  readonly index?: Pick<TrigramIndex, 'candidates' | 'paths'> | undefined;
  readonly timeLimitMs?: number | undefined;
  /** Prepended to every path, in results and for globs: the name of a root among several. */
  readonly prefix?: string | undefined;
}

export type SearchEvent = SearchStep<FileMatches>;

type SearchStep<File> =
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'problem'; readonly problem: SearchProblem }
  | ({ readonly kind: 'end' } & SearchEnd);

interface PreparedQuery {
  readonly query: CheckedQuery;
  readonly accepts: GlobFilter | undefined;
}

const USUAL_TIME_LIMIT_MS = 20_000;
const KEPT_RESULTS = 4;
const KEPT_MS = 60_000;

export class TextSearch {
  readonly #options: TextSearchOptions;
  readonly #kept = new Map<string, RankedResult>();
  #forgetTimer: Disposable | undefined;
  readonly #filters: PathFilters;

  constructor(options: TextSearchOptions) {
    this.#options = options;
    this.#filters = new PathFilters(options.root);
  }

  /** Yields files as they are found, in no order, until there are `maxResults` lines; ripgrep is then killed. */
  async *search(
    query: TextQuery,
    signal: AbortSignal = never,
  ): AsyncGenerator<SearchEvent, void, undefined> {
    const prepared = await this.#prepare(query);
    if (!prepared.ok) return yield { kind: 'problem', problem: prepared.error };
    const { value } = prepared;
    for await (const event of this.#find(value, value.query.maxResults, signal)) {
      if (event.kind !== 'file') yield event;
      else yield { kind: 'file', file: toMatches(this.#withPrefix(event.file), value.query) };
    }
    return undefined;
  }

  /** Returns one page, sorted by rank, with a cursor for the next one. */
  page(query: TextQuery, signal: AbortSignal = never): Promise<Result<TextPage, SearchProblem>> {
    return pageOf([this], query, signal);
  }

  /** Returns all matches; for a query with a cursor, the stored result. */
  async rank(query: TextQuery, signal: AbortSignal): Promise<Result<RankedResult, SearchProblem>> {
    const prepared = await this.#prepare(query);
    if (!prepared.ok) return prepared;
    const kept =
      query.cursor === undefined ? undefined : this.#keptFor(queryKey(prepared.value.query));
    return kept === undefined ? this.#rank(prepared.value, signal) : ok(kept);
  }

  /** Stores a result for the next page, for a limited time. */
  keep(key: string, result: RankedResult): void {
    this.#kept.delete(key);
    this.#kept.set(key, result);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_RESULTS && oldest !== undefined) this.#kept.delete(oldest);
    // A hundred thousand lines take tens of megabytes, and the next page may never be requested.
    this.#forgetTimer?.[Symbol.dispose]();
    this.#forgetTimer = this.#options.clock.after(KEPT_MS, () => {
      this.forget();
      giveBackMemory();
    });
  }

  /** Drops stored results, since the tree has changed. */
  forget(): void {
    this.#kept.clear();
  }

  get #prefix(): string {
    return this.#options.prefix ?? '';
  }

  #withPrefix<File extends FoundFile>(file: File): File {
    return { ...file, path: this.#prefix + file.path };
  }

  async #prepare(query: TextQuery): Promise<Result<PreparedQuery, QueryProblem>> {
    const checked = checkQuery(query);
    if (!checked.ok) return checked;
    const filter = await this.#filters.of(checked.value);
    if (!filter.ok) return filter;
    const accepts = filter.value;
    return ok({
      query: checked.value,
      accepts: accepts && ((path) => accepts(this.#prefix + path)),
    });
  }

  async #rank(
    prepared: PreparedQuery,
    signal: AbortSignal,
  ): Promise<Result<RankedResult, SearchProblem>> {
    const files: RankedFile[] = [];
    let end: SearchEnd = { isComplete: false, skipped: [] };
    for await (const event of this.#find(prepared, MOST_RANKED, signal)) {
      if (event.kind === 'problem') return err(event.problem);
      if (event.kind === 'end') end = event;
      else files.push(this.#withPrefix(ranked(event.file, prepared.query)));
    }
    const { isComplete, skipped } = end;
    const foundAt = this.#options.clock.elapsed();
    return ok({ files: files.toSorted(byRank), isComplete, skipped, foundAt });
  }

  async *#find(
    prepared: PreparedQuery,
    mostLines: number,
    signal: AbortSignal,
  ): AsyncGenerator<SearchStep<FoundFile>, void, undefined> {
    const { root, clock, timeLimitMs = USUAL_TIME_LIMIT_MS } = this.#options;
    signal.throwIfAborted();
    if ((await realFolder(root.path)) !== root.path) return yield rootGone();
    using limit = deadline(timeLimitMs, clock, signal);
    const plain = new PlainFiles(root.path);
    const skipped: string[] = [];
    let lines = 0;
    let isComplete = true;
    try {
      for await (const paths of this.#portions(prepared, plain, limit.signal)) {
        const run = new RipgrepRun(prepared.query, root.path, paths);
        for await (const file of run.files(limit.signal)) {
          limit.signal.throwIfAborted();
          // A link may have replaced the file meanwhile, and lead out of the tree.
          if (!plain.has(file.path)) continue;
          const matches = file.matches.slice(0, mostLines - lines);
          lines += matches.length;
          isComplete &&= !file.isCut;
          yield { kind: 'file', file: { ...file, matches } };
          if (lines >= mostLines) return yield { kind: 'end', isComplete: false, skipped };
        }
        const fault = await run.fault(limit.signal);
        if (fault !== undefined) return yield { kind: 'problem', problem: fault };
        skipped.push(...run.skipped.map((words) => this.#prefix.replace('/', ': ') + words));
        isComplete &&= run.isWhole;
      }
      yield { kind: 'end', isComplete, skipped };
    } catch (thrown) {
      if (!(limit.signal.reason instanceof DeadlineExceeded)) throw thrown;
      yield { kind: 'end', isComplete: false, skipped };
    }
    return undefined;
  }

  /** The paths for each run of ripgrep. */
  async *#portions(
    { query, accepts }: PreparedQuery,
    plain: PlainFiles,
    signal: AbortSignal,
  ): AsyncGenerator<readonly string[], void, undefined> {
    const { index, root } = this.#options;
    const candidates =
      // The index has no trigrams across lines.
      (query.isMultiline ? undefined : index?.candidates(query)) ??
      (accepts === undefined ? undefined : index?.paths());
    if (candidates !== undefined) {
      // Ripgrep follows a link that is an argument, unlike one that it finds.
      const chosen = candidates.filter((path) => (accepts?.(path) ?? true) && plain.has(path));
      yield* portions(chosen, mostArgumentBytes());
      return;
    }
    if (accepts === undefined) yield (await walkedPlaces(root)).filter(isPrintable);
    else yield* listPortions(root, accepts, signal);
  }

  #keptFor(key: string): RankedResult | undefined {
    const kept = this.#kept.get(key);
    const age = kept === undefined ? 0 : this.#options.clock.elapsed() - kept.foundAt;
    return age > KEPT_MS ? undefined : kept;
  }
}

/** Yields the first files while the rest is still being listed. */
async function* listPortions(
  root: { readonly path: string },
  accepts: GlobFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void, undefined> {
  let chosen: string[] = [];
  for await (const path of listPaths(root, signal)) {
    if (accepts(path)) chosen.push(path);
    if (chosen.length < LISTED_AT_ONCE) continue;
    yield* portions(chosen, mostArgumentBytes());
    chosen = [];
  }
  yield* portions(chosen, mostArgumentBytes());
}

const LISTED_AT_ONCE = 1000;

/** One run of ripgrep over some paths. */
class RipgrepRun {
  readonly #query: CheckedQuery;
  readonly #root: string;
  readonly #paths: readonly string[];
  #complaint = '';
  #hasFailed = false;
  #isWhole = true;

  constructor(query: CheckedQuery, root: string, paths: readonly string[]) {
    this.#query = query;
    this.#root = root;
    this.#paths = paths;
  }

  get skipped(): readonly string[] {
    return complaintsIn(this.#complaint);
  }

  /** False if ripgrep was killed. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  async *files(signal: AbortSignal): AsyncGenerator<FoundFile, void, undefined> {
    signal.throwIfAborted();
    const program = await ripgrepProgram();
    const args = [...searchArguments(this.#query), ...this.#paths];
    const run = runProgram({ program, args, cwd: this.#root, signal });
    try {
      yield* filesIn(run.output, this.#query.contextLines);
      const { code, complaint } = await run.ended;
      this.#complaint = complaint;
      this.#hasFailed = code !== 0 && code !== 1;
      this.#isWhole = hasWalkedAll(code);
    } finally {
      run.stop();
    }
  }

  /** The problem if the pattern is invalid or the root is gone; unreadable files are not a problem. */
  async fault(signal: AbortSignal): Promise<SearchProblem | undefined> {
    if (!this.#hasFailed) return undefined;
    if ((await realFolder(this.#root)) !== this.#root) return GONE;
    // With an empty input, only the pattern can cause a failure.
    const run = runProgram({
      program: await ripgrepProgram(),
      args: ['--no-config', ...patternArguments(this.#query), '--', '-'],
      cwd: this.#root,
      signal,
    });
    for await (const _ of run.output);
    const { code, complaint } = await run.ended;
    if (code === 0 || code === 1) return undefined;
    return { code: 'pattern-invalid', message: `the pattern is not valid: ${reasonIn(complaint)}` };
  }
}

/** Ripgrep recommends a flag that callers cannot pass. */
const RECOMMENDATION = /\n\s*Consider enabling PCRE2[^]*$/;
const INSTEAD = '; search without it, and choose among the lines that are found';

function reasonIn(complaint: string): string {
  const words = complaint.replace(/^rg: /, '').trim();
  const plain = words.replace(RECOMMENDATION, '').trim();
  return plain === words ? words : `${plain}${INSTEAD}`;
}

const GONE = {
  code: 'root-gone',
  message: 'the root folder of this server no longer exists',
} as const;

function rootGone(): SearchStep<FoundFile> {
  return { kind: 'problem', problem: GONE };
}

function toMatches(file: FoundFile, query: CheckedQuery): FileMatches {
  const matches = file.matches.map((match) => presented(match, query));
  return { path: file.path, matches, count: matches.length };
}
