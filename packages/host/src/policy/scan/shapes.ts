// Finds the shapes that rules use in a text. Pure.

import { markOf } from './reading.ts';
import { SHAPES } from './rules/shapes.ts';
import { type Presence, type Term, VOCABULARY } from './vocabulary.ts';

export interface FoundShape {
  readonly term: Term;
  readonly index: number;
}

/** The maximum number of matches of one shape in one text. */
const MOST = 400;

interface PreparedTerm {
  readonly term: Term;
  readonly pattern: RegExp;
  readonly marks: number;
  readonly words: readonly Term[];
}

const PREPARED: readonly PreparedTerm[] = SHAPES.map(({ name, hints, pattern }) => {
  const parts = hints.split(' ');
  const words = parts.filter((hint) => /^\w+$/.test(hint));
  return {
    term: VOCABULARY.term(name),
    pattern,
    marks: parts.reduce((marks, hint) => marks | markOf(hint), 0),
    words: words.map((word) => VOCABULARY.term(word)),
  };
});

const NONE: readonly PreparedTerm[] = [];
const BY_SIGN = PREPARED.filter(({ words }) => words.length === 0);
/** The shapes to which a word is a hint. */
const BY_WORD: (PreparedTerm[] | undefined)[] = [];
for (const shape of PREPARED) {
  for (const word of shape.words) {
    const known = BY_WORD[word];
    if (known === undefined) BY_WORD[word] = [shape];
    else known.push(shape);
  }
}

/** Adds the shapes that the words and signs of a text hint at. */
export function addHinted(present: Presence, marks: number): readonly Term[] {
  const hinted: Term[] = [];
  const add = (shape: PreparedTerm): void => {
    if (shape.marks !== 0 && (shape.marks & marks) === 0) return;
    if (present.add(shape.term)) hinted.push(shape.term);
  };
  const { length } = present.terms;
  for (let at = 0; at < length; at += 1) {
    for (const shape of BY_WORD[present.terms[at] ?? 0] ?? NONE) add(shape);
  }
  if (marks !== 0) for (const shape of BY_SIGN) add(shape);
  return hinted;
}

export function shapesIn(plain: string, wanted: ReadonlySet<Term>): readonly FoundShape[] {
  const found: FoundShape[] = [];
  for (const { term, pattern } of PREPARED) {
    if (!wanted.has(term)) continue;
    let count = 0;
    for (const { index } of plain.matchAll(pattern)) {
      found.push({ term, index });
      if ((count += 1) >= MOST) break;
    }
  }
  return found;
}
