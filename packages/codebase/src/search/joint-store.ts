// The stores of several trees as one to search in: what each of them finds is put together by its score. Cosines mean the same
// in all of them; scores by words go by how rare a word is in its own tree, which is near enough, since the rank stage
// decides among the best of all.

import type { Candidate, ChunkFilter, ChunkRef, Store } from '../store/index.ts';

export type SearchedStore = Pick<Store, 'lexical' | 'dense' | 'state'>;

export interface StoreMember {
  /** In front of every path. */
  readonly prefix: string;
  readonly store: SearchedStore;
}

export function jointStore(members: readonly StoreMember[]): SearchedStore {
  return {
    async lexical(terms, limit, filter) {
      const found = await Promise.all(
        members.map(async (member) =>
          named(member, await member.store.lexical(terms, limit, within(member, filter))),
        ),
      );
      return best(found, limit);
    },
    // oxlint-disable-next-line max-params -- the shape of the port
    async dense(embedderId, vector, limit, filter) {
      const found = await Promise.all(
        members.map(async (member) =>
          named(
            member,
            await member.store.dense(embedderId, vector, limit, within(member, filter)),
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

function within({ prefix }: StoreMember, { accepts }: ChunkFilter = {}): ChunkFilter {
  return accepts === undefined ? {} : { accepts: (path) => accepts(prefix + path) };
}

function named<Found extends { readonly chunk: ChunkRef }>(
  { prefix }: StoreMember,
  found: readonly Found[],
): readonly Found[] {
  return found.map((one) => {
    const { chunk } = one;
    // Each tree counts its own.
    return { ...one, chunk: { ...chunk, id: `${prefix}${chunk.id}`, path: prefix + chunk.path } };
  });
}

/** Equals by their places, whichever tree was the first to answer. */
function best<Found extends Candidate>(
  found: readonly (readonly Found[])[],
  limit: number,
): readonly Found[] {
  return found
    .flat()
    .toSorted((a, b) => b.score - a.score || (a.chunk.path < b.chunk.path ? -1 : 1))
    .slice(0, limit);
}
