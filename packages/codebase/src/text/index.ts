// The door of `text`: searches a tree for text, and filters its paths.

export { editDistance } from './edit-distance.ts';
export { pageOf } from './joint-page.ts';
export { PathFilters } from './path-filter.ts';
export { type FileMatches, type TextMatch, type TextPage } from './result-page.ts';
export { type FoundLine } from './ripgrep-output.ts';
export { type TextQuery } from './text-query.ts';
export { type SearchEvent, TextSearch } from './text-search.ts';
export { TrigramIndex } from './trigram-index.ts';
