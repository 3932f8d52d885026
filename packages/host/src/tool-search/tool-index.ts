// Finds tools for a task without a request to a model. A tool is scored by its words and, with an encoder, by its meaning.
// The same tools and queries always yield the same answer.

import type { Result } from '@plugboard/base';
import { type TextEncoder, MeaningScores } from './meaning-scores.ts';
import { readRequest, type ToolRequest } from './request.ts';
import { FIELDS, type FieldWords, type SearchableTool, toolText } from './tool-text.ts';
import { normalize, WordScores } from './word-scores.ts';

export interface ToolIndexOptions {
  /** Without one, only words count. */
  readonly encoder?: TextEncoder;
}

/** The weight of the clause that fits best. */
const CLAUSE_SHARE_OF_WORDS = 0.45;
const CLAUSE_SHARE_OF_MEANING = 0.6;
const MEANING_SHARE = 0.5;
/** A cosine that is hardly significant. */
const FAR = 0.2;
/** The number of tools that are compared in all dimensions. */
const SHORT_LIST = 256;

/** Explains the rank of a tool. */
export interface RankedTool<Tool> {
  readonly tool: Tool;
  /** From 0 to 1, like its two components. */
  readonly score: number;
  /** The score of its words. */
  readonly words: number;
  /** The score of its meaning; `undefined` without an encoder. */
  readonly meaning: number | undefined;
  /** The stems of the query that occur in it, and their fields. */
  readonly matched: readonly { readonly word: string; readonly fields: readonly string[] }[];
}

const NOTHING = { scores: new Float32Array(), byWords: new Float32Array() };

interface IndexedTool<Tool> {
  readonly tool: Tool;
  readonly words: FieldWords;
  readonly vector: Float32Array | undefined;
}

interface Scores {
  readonly words: WordScores;
  readonly meaning: MeaningScores | undefined;
}

export class ToolIndex<Tool extends SearchableTool> {
  readonly #encoder: TextEncoder | undefined;
  /** Sorted by name. */
  #tools: readonly IndexedTool<Tool>[] = [];
  #scores: Scores | undefined;

  constructor({ encoder }: ToolIndexOptions = {}) {
    this.#encoder = encoder;
  }

  get size(): number {
    return this.#tools.length;
  }

  /** Reads only new and changed tools. */
  set(tools: readonly Tool[]): void {
    const known = new Map(this.#tools.map((each) => [each.tool.name, each]));
    let isChanged = tools.length !== this.#tools.length;
    this.#tools = tools
      .map((tool) => {
        const old = known.get(tool.name);
        if (old !== undefined && isSame(old.tool, tool)) return { ...old, tool };
        isChanged = true;
        return this.#read(tool);
      })
      .toSorted(({ tool: a }, { tool: b }) => (a.name < b.name ? -1 : 1));
    if (isChanged) this.#scores = undefined;
  }

  #read(tool: Tool): IndexedTool<Tool> {
    const { words, meaning } = toolText(tool);
    return { tool, words, vector: this.#encoder?.embedDocument(meaning) };
  }

  /** At most `limit` tools, taken in turn from the best ones of each query. */
  search(queries: readonly string[], limit: number): readonly Tool[] {
    const ranked = queries.map((query) => this.#best(query, limit));
    const found = new Set<Tool>();
    for (let rank = 0; rank < limit; rank += 1) {
      for (const tools of ranked) {
        const tool = tools[rank];
        if (tool !== undefined && found.size < limit) found.add(tool);
      }
    }
    return [...found];
  }

  /** The best tools of one query in their order, each with the reasons for its rank. */
  explain(query: string, limit: number): readonly RankedTool<Tool>[] {
    const request = readRequest(query);
    const { scores, byWords } = this.#score(request);
    return highest(scores, limit).flatMap((at) => {
      const found = this.#tools[at];
      if (found === undefined) return [];
      const [score = 0, words = 0] = [scores[at], byWords[at]];
      const nearness = (score - (1 - MEANING_SHARE) * words) / MEANING_SHARE;
      return {
        tool: found.tool,
        score,
        words,
        meaning: this.#encoder === undefined ? undefined : nearness,
        matched: matchedIn(found.words, request),
      };
    });
  }

  #best(query: string, limit: number): readonly Tool[] {
    const { scores } = this.#score(readRequest(query));
    return highest(scores, limit).flatMap((at) => this.#tools[at]?.tool ?? []);
  }

  /** One score for each tool; none for a query without words. */
  #score(request: ToolRequest): { readonly scores: Float32Array; readonly byWords: Float32Array } {
    if (request.words.size === 0 || this.#tools.length === 0) return NOTHING;
    const { words, meaning } = (this.#scores ??= this.#prepare());
    const byWords = scoresByWords(words, request);
    const scores = meaning === undefined ? byWords : withMeaning(byWords, meaning, request);
    return { scores, byWords };
  }

  #prepare(): Scores {
    const words = new WordScores(this.#tools.map((each) => each.words));
    const vectors = this.#tools.flatMap(({ vector }) => vector ?? []);
    const encoder = this.#encoder;
    return { words, meaning: encoder && new MeaningScores(encoder, vectors) };
  }
}

function matchedIn(words: FieldWords, request: ToolRequest): RankedTool<unknown>['matched'] {
  return [...request.words.keys(), ...request.synonyms.keys()].flatMap((word) => {
    const fields = FIELDS.filter((field) => words[field].includes(word));
    return fields.length === 0 ? [] : [{ word, fields }];
  });
}

function isSame(a: SearchableTool, b: SearchableTool): boolean {
  return (
    a.server === b.server &&
    a.tool === b.tool &&
    a.title === b.title &&
    a.description === b.description &&
    // A list that was not read again has the same objects.
    a.inputSchema === b.inputSchema
  );
}

function scoresByWords(words: WordScores, { clauses, ...whole }: ToolRequest): Float32Array {
  const scores = words.scores(whole);
  const ofClauses = clauses.map((clause) => words.scores(clause));
  return normalize(mix(scores, ofClauses, CLAUSE_SHARE_OF_WORDS));
}

/** Tools that are not on the short list get no score. */
function withMeaning(
  byWords: Float32Array,
  meaning: MeaningScores,
  { text, clauses }: ToolRequest,
): Float32Array {
  const whole = meaning.embed(text);
  const parts = clauses.map((clause) => meaning.embed(clause.text));
  const estimates = mix(
    meaning.estimates(whole),
    parts.map((part) => meaning.estimates(part)),
    CLAUSE_SHARE_OF_MEANING,
  );
  const shortList = highest(combine(byWords, estimates), SHORT_LIST);
  const cosines = (query: Float32Array): Float32Array => {
    const scores = new Float32Array(byWords.length);
    for (const at of shortList) scores[at] = meaning.cosine(query, at);
    return scores;
  };
  const byMeaning = mix(cosines(whole), parts.map(cosines), CLAUSE_SHARE_OF_MEANING);
  const all = combine(byWords, byMeaning);
  const scores = new Float32Array(byWords.length);
  for (const at of shortList) scores[at] = all[at] ?? 0;
  return scores;
}

/**
 * Cosines of different queries are not comparable, so the best one counts as much as the best score by words, unless even
 * the best one is low.
 */
function combine(words: Float32Array, meaning: Float32Array): Float32Array {
  const best = meaning.reduce((most, cosine) => Math.max(most, cosine), FAR);
  return words.map((score, at) => {
    const nearness = Math.max(0, meaning[at] ?? 0) / best;
    return (1 - MEANING_SHARE) * score + MEANING_SHARE * nearness;
  });
}

/** Mixes the scores of the whole query with those of the clause that fits best. */
function mix(whole: Float32Array, clauses: readonly Float32Array[], share: number): Float32Array {
  if (clauses.length === 0) return whole;
  return whole.map((score, at) => {
    let best = -1;
    for (const clause of clauses) best = Math.max(best, clause[at] ?? 0);
    return (1 - share) * score + share * best;
  });
}

/** The indexes of the highest scores, best first, and the first of equal ones. Scores of zero and below do not count. */
function highest(scores: Float32Array, limit: number): readonly number[] {
  const least = scores.toSorted().at(-limit) ?? 0;
  const places: number[] = [];
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] ?? 0;
    if (score > 0 && score >= least) places.push(at);
  }
  return places.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, limit);
}

/** Opens an index with its encoder. If the encoder cannot be read, only words count. */
export async function openToolIndex<Tool extends SearchableTool>(): Promise<ToolIndex<Tool>> {
  const { openStaticModel } = await import('@plugboard/static-model');
  const opened: Result<TextEncoder, string> = await openStaticModel();
  return new ToolIndex<Tool>(opened.ok ? { encoder: opened.value } : {});
}
