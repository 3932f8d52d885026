// Scores how well tools fit a query by their words: BM25F over the five fields of a tool, and how much of its name the
// query contains. Pure.

import type { RequestPart } from './request.ts';
import { type FieldWords, FIELDS } from './tool-text.ts';

/** How fast repetitions of a word stop counting. */
const SATURATION = 1.2;
/** How much the length of a field lowers its worth; a long description often only explains more. */
const LENGTH_SHARE: Readonly<Record<(typeof FIELDS)[number], number>> = {
  name: 0.75,
  server: 0.75,
  parameters: 0.75,
  description: 0.5,
  details: 0.75,
};
const RARITY_EXPONENT = 0.85;
const NAME_SHARE = 0.3;

/** The indexes of the tools with a word, and its worth in each. */
interface Postings {
  readonly tools: number[];
  readonly worths: number[];
}

export class WordScores {
  readonly #count: number;
  readonly #postings = new Map<string, Postings>();
  /** The share of a word in a tool's name. */
  readonly #names = new Map<string, Postings>();

  constructor(tools: readonly FieldWords[]) {
    this.#count = tools.length;
    const lengths = averageLengths(tools);
    tools.forEach((words, tool) => {
      for (const [word, frequency] of frequenciesOf(words, lengths)) {
        const { tools: holders, worths } = postingsOf(this.#postings, word);
        holders.push(tool);
        worths.push(frequency / (SATURATION + frequency));
      }
    });
    tools.forEach(({ name }, tool) => {
      const words = [...new Set(name)];
      const all = words.reduce((sum, word) => sum + this.#rarity(word), 0);
      for (const word of words) {
        const { tools: holders, worths } = postingsOf(this.#names, word);
        holders.push(tool);
        worths.push(this.#rarity(word) / all);
      }
    });
  }

  #rarity(word: string): number {
    const holders = this.#postings.get(word)?.tools.length ?? 0;
    return Math.log(1 + (this.#count - holders + 0.5) / (holders + 0.5));
  }

  /** One score for each tool, 1 for the best; all 0 if no tool has any of the words. */
  scores({ words, synonyms }: RequestPart): Float32Array {
    const scores = new Float32Array(this.#count);
    const score = (postings: Postings | undefined, worth: number): void => {
      if (postings === undefined) return;
      const { tools, worths } = postings;
      tools.forEach((tool, at) => {
        scores[tool] = (scores[tool] ?? 0) + worth * (worths[at] ?? 0);
      });
    };
    const worthOf = (word: string): number => this.#rarity(word) ** RARITY_EXPONENT;
    const worthOfName = NAME_SHARE * Math.log(this.#count);
    for (const [word, weight] of [...synonyms, ...words]) {
      score(this.#postings.get(word), weight * (SATURATION + 1) * worthOf(word));
    }
    for (const word of words.keys()) score(this.#names.get(word), worthOfName);
    return normalize(scores);
  }
}

function postingsOf(all: Map<string, Postings>, word: string): Postings {
  const known = all.get(word);
  if (known !== undefined) return known;
  const postings = { tools: [], worths: [] };
  all.set(word, postings);
  return postings;
}

type Lengths = Readonly<Record<(typeof FIELDS)[number], number>>;

/** The average over the tools that have the field. */
function averageLengths(tools: readonly FieldWords[]): Lengths {
  const average = (field: (typeof FIELDS)[number]): number => {
    let sum = 0;
    let count = 0;
    for (const { [field]: words } of tools) {
      sum += words.length;
      if (words.length > 0) count += 1;
    }
    return count === 0 ? 1 : sum / count;
  };
  return {
    name: average('name'),
    server: average('server'),
    parameters: average('parameters'),
    description: average('description'),
    details: average('details'),
  };
}

function frequenciesOf(words: FieldWords, lengths: Lengths): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const field of FIELDS) {
    const share = LENGTH_SHARE[field];
    const worth = 1 / (1 - share + (share * words[field].length) / lengths[field]);
    for (const word of words[field]) frequencies.set(word, (frequencies.get(word) ?? 0) + worth);
  }
  return frequencies;
}

export function normalize(scores: Float32Array): Float32Array {
  let best = 0;
  for (const score of scores) if (score > best) best = score;
  if (best === 0) return scores;
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) / best;
  return scores;
}
