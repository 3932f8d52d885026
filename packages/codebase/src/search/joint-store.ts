// Presents the stores of several trees as one for searching: their results are merged by score. Cosines are comparable
// between trees; BM25 depends on how rare a word is in its own tree, which is close enough, since the rank stage decides
// among the best candidates.

import type { Candidate, ChunkFilter, ChunkRef, Store } from '../store/index.ts';

export type SearchedStore = Pick<Store, 'lexical' | 'dense' | 'state'>;

export interface StoreMember {
  /** Prepended to every path. */
  readonly prefix: string;
  readonly store: SearchedStore;
}

export function jointStore(members: readonly StoreMember[]): SearchedStore {
  return {
    async lexical(terms, limit, accepts) {
      const found = await Promise.all(
        members.map(async (member) =>
          named(member, await member.store.lexical(terms, limit, within(member, accepts))),
        ),
      );
      return best(found, limit);
    },
    // oxlint-disable-next-line max-params -- the shape of the port
    async dense(embedderId, vector, limit, accepts) {
      const found = await Promise.all(
        members.map(async (member) =>
          named(
            member,
            await member.store.dense(embedderId, vector, limit, within(member, accepts)),
          ),
        ),
      );
      return best(found, limit);
    },
    async state(embedderId) {
      const states = await Promise.all(members.map(({ store }) => store.state(embedderId)));
      const sum = (of: 'files' | 'chunks' | 'vectors'): number =>
        states.reduce((all, state) => all + state[of], 0);
      return {
        ...{ files: sum('files'), chunks: sum('chunks'), vectors: sum('vectors') },
        bytes: undefined,
        notes: states.flatMap(({ notes }) => notes),
      };
    },
  };
}

function within({ prefix }: StoreMember, accepts?: ChunkFilter): ChunkFilter | undefined {
  return accepts && ((path) => accepts(prefix + path));
}

function named<Found extends { readonly chunk: ChunkRef }>(
  { prefix }: StoreMember,
  found: readonly Found[],
): readonly Found[] {
  return found.map((one) => {
    const { chunk } = one;
    // Ids are unique only within a tree.
    return { ...one, chunk: { ...chunk, id: `${prefix}${chunk.id}`, path: prefix + chunk.path } };
  });
}

/** Equal scores are ordered by path, so that the order of the trees does not matter. */
function best<Found extends Candidate>(
  found: readonly (readonly Found[])[],
  limit: number,
): readonly Found[] {
  return found
    .flat()
    .toSorted((a, b) => b.score - a.score || (a.chunk.path < b.chunk.path ? -1 : 1))
    .slice(0, limit);
}
