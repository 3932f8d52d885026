// The door of `words`: what code and questions are found by, and what kind of file a file is.

export { type PathWords, pathTerms, pathWords } from './path-terms.ts';
export { type Query, readQuery, type WeightedTerm } from './query.ts';
export { stem } from './stem.ts';
export { letterTerms, termsOf, identifierWords } from './terms.ts';
export { type FileTraits, NO_TRAITS, traitBits, traitsOf, traitsOfBits } from './traits.ts';
