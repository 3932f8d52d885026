// How well a name fits a question: the share of the question that the name covers, times the share of the name that the
// question covers. No name covers a long question, so the fit fades as questions grow.

import type { Query } from '../words/index.ts';

/** From 0 for nothing in common to 1 for the same words. */
export type FitFunction = (words: readonly string[]) => number;

/** The weight of an abbreviation: `config` may not mean `configuration`. */
const ABBREVIATED = 0.8;
const SHORTEST_ABBREVIATION = 4;

interface NameWords {
  readonly words: readonly string[];
  readonly share: number;
}

export function fitTo({ words, compounds }: Query): FitFunction {
  const weights = new Map(words.map(({ term, weight }) => [term, weight]));
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const joined = new Map(compounds.map(({ term, of }) => [term, of]));
  const read = (word: string): NameWords => {
    if (weights.has(word)) return { words: [word], share: 1 };
    // `routergroup` covers two words of a question about a router group.
    const both = joined.get(word);
    if (both !== undefined) return { words: both, share: 1 };
    const longer = [...weights.keys()].find((term) => isAbbreviation(word, term));
    return longer === undefined ? { words: [], share: 0 } : { words: [longer], share: ABBREVIATED };
  };
  const known = new Map<string, NameWords>();
  const wordsOf = (word: string): NameWords => {
    const found = known.get(word) ?? read(word);
    known.set(word, found);
    return found;
  };
  return (name) => {
    const ofQuestion = new Map<string, number>();
    let ofName = 0;
    for (const { words: covered, share } of name.map(wordsOf)) {
      ofName += share;
      for (const word of covered) {
        ofQuestion.set(word, Math.max(ofQuestion.get(word) ?? 0, share));
      }
    }
    if (ofName === 0) return 0;
    let sum = 0;
    for (const [word, share] of ofQuestion) sum += share * (weights.get(word) ?? 0);
    return (sum / total) * (ofName / name.length);
  };
}

function isAbbreviation(one: string, other: string): boolean {
  const isLong = Math.min(one.length, other.length) >= SHORTEST_ABBREVIATION;
  return isLong && (one.startsWith(other) || other.startsWith(one));
}
