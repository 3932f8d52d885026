// The door of `words`: the search terms of code and questions, and the traits of files.

export { type PathWords, pathTerms, pathWords } from './path-terms.ts';
export { type Query, readQuery, type WeightedTerm } from './query.ts';
export { stem } from './stem.ts';
export { letterTerms, termsOf, identifierWords } from './terms.ts';
export { type FileTraits, NO_TRAITS, traitBits, traitsOf, traitsOfBits } from './traits.ts';
