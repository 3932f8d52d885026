// The door of `text`: searches a tree for text, and filters its paths.

export { editDistance } from './edit-distance.ts';
export { pageOf } from './joint-page.ts';
export { PathFilters } from './path-filter.ts';
export { type FileMatches, type SearchEnd, type TextMatch, type TextPage } from './result-page.ts';
export { type FoundLine, type FoundMatch } from './ripgrep-output.ts';
export { type QueryProblem, type SearchProblem, type TextQuery } from './text-query.ts';
export {
  type CandidateSource,
  type SearchEvent,
  TextSearch,
  type TextSearchOptions,
} from './text-search.ts';
export { TrigramIndex, type TrigramIndexOptions, type TrigramState } from './trigram-index.ts';
