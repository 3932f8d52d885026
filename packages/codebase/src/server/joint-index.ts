// Presents the indexes of several roots as one. A question is ranked over the candidates of all roots; each root has its own
// index, which a server of that root alone shares. A root that is gone or has no index is skipped.

import { earliestPhase, INDEX_PHASES, type IndexProgress } from '../indexing/index.ts';
import { memberAt, type Root } from '../scan/index.ts';
import { jointStore } from '../search/index.ts';
import { SymbolIndex } from '../symbols/index.ts';
import { PathFilters } from '../text/index.ts';
import type {
  CodeIndex,
  IndexCoverage,
  IndexState,
  IndexStatus,
  LeftOut,
  RankedAnswer,
  RankedRequest,
} from './parts/codebase-parts.ts';
import { rankedAnswer, type Searchable } from './ranked-answer.ts';
import type { RankedIndex } from './ranked-index.ts';

export interface IndexMember {
  readonly name: string;
  readonly root: Root;
  readonly ranked: RankedIndex;
}

const MOST_EXAMPLES = 5;

export class JointIndex implements CodeIndex {
  readonly #members: readonly IndexMember[];
  readonly #filters: PathFilters;

  /** `members` must not be empty. */
  constructor(members: readonly IndexMember[]) {
    this.#members = members;
    this.#filters = new PathFilters({ path: members[0]?.root.path ?? '' });
  }

  search(text: string, request: RankedRequest, signal: AbortSignal): Promise<RankedAnswer> {
    const ready = (): Promise<Searchable> => this.#ready(request.waitMs, signal);
    return rankedAnswer(text, request, { filters: this.#filters, ready, signal });
  }

  async #ready(waitMs: number | undefined, signal: AbortSignal): Promise<Searchable> {
    const members = await this.#existingMembers();
    const found = await Promise.all(
      members.map(async ({ name, ranked }) => {
        const ready = await ranked.ready(waitMs, signal);
        return ready === undefined ? [] : [{ ...ready, name, prefix: `${name}/` }];
      }),
    );
    const open = found.flat();
    const [unusable] = members;
    if (open.length === 0 && unusable !== undefined) throw unusable.ranked.unusable();
    const { readShare } = await this.state();
    return {
      store: jointStore(open),
      embedder: open.find((one) => one.embedder !== undefined)?.embedder,
      standing:
        (['comparing', 'reading'] as const).find((standing) =>
          open.some((one) => one.standing === standing),
        ) ?? 'read',
      readShare,
      isCurrent(path) {
        const at = memberAt(open, path);
        return at?.member.isCurrent(at.within) === true;
      },
      answered: () => open.forEach((one) => one.answered()),
    };
  }

  async symbols(signal: AbortSignal): Promise<SymbolIndex> {
    const members = await this.#existingMembers();
    const found = await Promise.allSettled(members.map(({ ranked }) => ranked.symbols(signal)));
    const known = found.flatMap((one, at) =>
      one.status === 'fulfilled' ? [{ name: members[at]?.name ?? '', index: one.value }] : [],
    );
    const failed = found.find((one) => one.status === 'rejected');
    if (known.length === 0 && failed !== undefined) throw failed.reason;
    return SymbolIndex.joint(known);
  }

  async state(): Promise<IndexState> {
    const states = await Promise.all(
      this.#members.map(async ({ name, ranked }) => ({ name, ...(await ranked.state()) })),
    );
    const notes = states.flatMap(({ name, note }) =>
      note === undefined ? [] : [`${name}: ${note}`],
    );
    return {
      kind: INDEX_PHASES[this.#progress().phase].kind,
      ...coverageOf(states),
      unread: states.flatMap(({ name, unread }) => unread.map((path) => `${name}/${path}`)),
      ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
    };
  }

  onProgress(listener: (progress: IndexProgress) => void): Disposable {
    const report = (): void => listener(this.#progress());
    const subscriptions = this.#members.map(({ ranked }) => ranked.onProgress(report));
    return { [Symbol.dispose]: () => subscriptions.forEach((one) => one[Symbol.dispose]()) };
  }

  async begin(): Promise<void> {
    await Promise.all(this.#members.map(({ ranked }) => ranked.begin()));
  }

  async status(): Promise<IndexStatus> {
    const all = await Promise.all(
      this.#members.map(async ({ name, ranked }) => ({ name, ...(await ranked.status()) })),
    );
    const isLocal = all.some(({ bytes }) => bytes !== undefined);
    return {
      ...this.#progress(),
      ...coverageOf(all),
      unread: all.flatMap(({ name, unread }) => unread.map((path) => `${name}/${path}`)),
      symbolFiles: sumOf(all, ({ symbolFiles }) => symbolFiles),
      bytes: isLocal ? sumOf(all, ({ bytes }) => bytes ?? 0) : undefined,
      memoryBytes: all[0]?.memoryBytes ?? 0,
      leftOut: {
        tooLarge: leftOutOf(all.map(({ name, leftOut }) => ({ name, ...leftOut.tooLarge }))),
        binary: leftOutOf(all.map(({ name, leftOut }) => ({ name, ...leftOut.binary }))),
      },
      notes: all.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`)),
      roots: all.flatMap(({ name, roots }) => roots.map((root) => ({ ...root, name }))),
    };
  }

  /** The progress of the roots in the earliest phase. */
  #progress(): IndexProgress {
    const all = this.#members.map(({ ranked }) => ranked.progress);
    const phase = earliestPhase(all.map((progress) => progress.phase));
    const own = all.filter((progress) => progress.phase === phase);
    return { phase, done: sumOf(own, ({ done }) => done), total: sumOf(own, ({ total }) => total) };
  }

  async #existingMembers(): Promise<readonly IndexMember[]> {
    const stats = await Promise.all(this.#members.map(({ root }) => root.stat('.')));
    const existing = this.#members.filter((_, at) => stats[at]?.ok === true);
    // If all roots are gone, their indexes can still answer.
    return existing.length === 0 ? this.#members : existing;
  }
}

/** Each root is weighted by its size, which is unknown until its index has begun. */
function coverageOf(all: readonly IndexCoverage[]): IndexCoverage {
  const sizes = all.map(({ files, readShare }) => Math.max(1, files / (readShare || 1)));
  const size = sumOf(sizes, (one) => one);
  const read = sumOf(all, ({ readShare }, at) => readShare * (sizes[at] ?? 0));
  const chunks = sumOf(all, (one) => one.chunks);
  const covered = sumOf(all, (one) => one.semanticCoverage * one.chunks);
  const isRead = all.every(({ readShare }) => readShare === 1);
  return {
    files: sumOf(all, ({ files }) => files),
    chunks,
    // Rounding must neither make the share 1 nor prevent it.
    readShare: isRead ? 1 : Math.min(read / size, 0.999),
    semanticCoverage: chunks === 0 ? 0 : Math.min(1, covered / chunks),
  };
}

function leftOutOf(all: readonly (LeftOut & { readonly name: string })[]): LeftOut {
  return {
    count: sumOf(all, ({ count }) => count),
    examples: all
      .flatMap(({ name, examples }) => examples.map((path) => `${name}/${path}`))
      .slice(0, MOST_EXAMPLES),
  };
}

function sumOf<T>(all: readonly T[], of: (one: T, at: number) => number): number {
  return all.reduce((sum, one, at) => sum + of(one, at), 0);
}
