// The door of `search`: answers questions about code with chunks.

export { type CodeAnswer, type CodeHit, CodeSearch, type CodeSearchParts } from './code-search.ts';
export { jointStore } from './joint-store.ts';
export { RANK_PARTS, type RankPart } from './rank.ts';
