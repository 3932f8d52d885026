// The door of `search`: answers questions about code with chunks.

export {
  type CodeAnswer,
  type CodeHit,
  CodeSearch,
  type CodeSearchParts,
  type SearchOptions,
} from './code-search.ts';
export { jointStore } from './joint-store.ts';
export { type Explanation, RANK_PARTS, type RankPart, type RankSettings } from './rank.ts';
