// Parses a query for tools into words with weights and into clauses, since a query often contains several tasks. Quoted
// and literal text (an address, a path, a number) is what a tool works on, not what it does, and weighs less. Pure.

import { stem, wordsOf } from './words.ts';

export interface RequestPart {
  readonly text: string;
  /** Each word once. */
  readonly words: ReadonlyMap<string, number>;
  /** Words of similar meaning that are not in the query itself. */
  readonly synonyms: ReadonlyMap<string, number>;
}

export interface ToolRequest extends RequestPart {
  /** Empty if the query is one clause. */
  readonly clauses: readonly RequestPart[];
}

const MOST_CHARACTERS = 4000;
const MOST_CLAUSES = 6;
const LITERAL_WEIGHT = 0.3;
const QUOTED_WEIGHT = 0.4;
const SYNONYM_WEIGHT = 0.15;

/** Addresses, mail addresses, paths, numbers. */
const LITERAL = /https?:\/\/\S+|[\w.+-]+@[\w-]+\.[\w.-]+|(?:[\w.~-]*\/)+[\w.~-]+|\b\d[\d.,:%-]*\b/g;
const QUOTED = /"[^"]{1,200}"|“[^”]{1,200}”|`[^`]{1,200}`|(?<!\w)'[^']{1,200}'(?!\w)/g;
/** The end of a sentence, "and then", ", and", and "and" before another thing to do. */
const BETWEEN_CLAUSES =
  /[.!?;\n]+(?=\s|$)|\band then\b|\bthen\b|,\s*and\b|\band\b(?=\s+(?:also\s+)?[a-z]+\s+(?:the|a|an|my|me|it|to|all|its|their|them|this|that|for|with|if|whether|how|what)\b)/i;
const LEAST_WORDS = 2;

export function readRequest(whole: string): ToolRequest {
  const text = whole.slice(0, MOST_CHARACTERS);
  const clauses = text
    .split(BETWEEN_CLAUSES)
    .map(readPart)
    .filter(({ words }) => words.size >= LEAST_WORDS);
  return { ...readPart(text), clauses: clauses.length > 1 ? clauses.slice(0, MOST_CLAUSES) : [] };
}

function readPart(text: string): RequestPart {
  const words = new Map<string, number>();
  const add = (found: string, weight: number): string => {
    for (const word of wordsOf(found)) words.set(word, Math.max(words.get(word) ?? 0, weight));
    return ' ';
  };
  const unquoted = text
    .replaceAll(LITERAL, (literal) => add(literal, LITERAL_WEIGHT))
    .replaceAll(QUOTED, (quoted) => add(quoted, QUOTED_WEIGHT));
  add(unquoted, 1);
  return { text, words, synonyms: synonymsOf(words) };
}

function synonymsOf(words: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const synonyms = new Map<string, number>();
  for (const [word, weight] of words) {
    for (const synonym of SYNONYMS.get(word) ?? []) {
      if (words.has(synonym)) continue;
      synonyms.set(synonym, Math.max(synonyms.get(synonym) ?? 0, SYNONYM_WEIGHT * weight));
    }
  }
  return synonyms;
}

/** One group per line. */
const GROUPS = `
  get fetch retrieve read list search find lookup query show view
  create add new make insert generate build
  delete remove erase drop clear
  update edit modify change set patch
  send post publish submit
  run execute start launch invoke
  folder directory
  file document
  picture image photo
  email mail message
  weather forecast
  repo repository
  issue ticket bug
  convert transform translate
  calculate compute
  price cost quote
  website site webpage page url
  movie film
  song track music
  book reserve
  buy purchase order
  map location place geocode
  summarize summary
  compare difference diff
`;

const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = readGroups(GROUPS);

function readGroups(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const synonyms = new Map<string, Set<string>>();
  for (const line of text.trim().split('\n')) {
    const group = line.trim().split(' ').map(stem);
    for (const word of group) {
      const others = synonyms.get(word) ?? new Set();
      for (const other of group) if (other !== word) others.add(other);
      synonyms.set(word, others);
    }
  }
  return synonyms;
}
