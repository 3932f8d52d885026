export { PathFilters } from './path-filter.ts';
export { type FileMatches, type TextMatch } from './result-page.ts';
export { type FoundLine, type FoundMatch } from './ripgrep-output.ts';
export { type QueryProblem, type TextQuery } from './text-query.ts';
export {
  type CandidateSource,
  type SearchEnd,
  type SearchEvent,
  type SearchProblem,
  type TextPage,
  TextSearch,
  type TextSearchOptions,
} from './text-search.ts';
export { TrigramIndex, type TrigramIndexOptions, type TrigramState } from './trigram-index.ts';
