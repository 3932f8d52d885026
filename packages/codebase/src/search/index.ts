// The door of `search`: questions about code, answered with chunks.

export {
  type CodeAnswer,
  type CodeHit,
  CodeSearch,
  type CodeSearchParts,
  type SearchOptions,
} from './code-search.ts';
export { jointStore } from './joint-store.ts';
export { type Explanation, RANK_PARTS, type RankPart, type RankSettings } from './rank.ts';
