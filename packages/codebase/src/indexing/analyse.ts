// What search needs to know of a file: its words, those of its path, and what kind of file it is. A port, so that
// whoever indexes something else can say it otherwise.

import type { ChunkedFile } from '../chunk/index.ts';
import type { FileTraits } from '../store/index.ts';
import { pathTerms, termsOf, traitsOf } from '../words/index.ts';

export interface FileToAnalyse extends ChunkedFile {
  readonly path: string;
  readonly text: string;
}

export interface AnalysedFile {
  readonly pathTerms: readonly string[];
  readonly traits: FileTraits;
  /** Of each chunk, in their order. */
  readonly terms: readonly (readonly string[])[];
}

/** Pure, and quick: it is asked for every file. */
export type Analyse = (file: FileToAnalyse) => AnalysedFile;

export const analyseCode: Analyse = ({ path, text, language, chunks }) => ({
  pathTerms: pathTerms(path),
  traits: traitsOf({ path, text, language }),
  terms: chunks.map(({ start, end }) => termsOf(text.slice(start, end))),
});
