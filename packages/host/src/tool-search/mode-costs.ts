// Estimates the number of tokens that a model reads for one task, for each way to offer it tools. Every request is read
// from its beginning, so definitions are paid with each request, and an answer with each request after it. Caching makes
// all ways cheaper alike, and is ignored. Pure.

export type ToolMode = 'direct' | 'search' | 'code';

/** A typical task of a conversation. */
export interface ExpectedTask {
  /** Calls of tools of servers. */
  readonly calls: number;
  /** The size of each answer. */
  readonly resultTokens: number;
}

const USUAL_TASK: ExpectedTask = { calls: 3, resultTokens: 400 };

/** The parts of a search's answer: the median line for one tool, the number of lines, and how to call a tool. */
const LINE_TOKENS = 47;
const MOST_LINES = 14;
const HOW_TO_CALL_TOKENS = 42;
/** A script over a few tools. */
const SCRIPT_TOKENS = 100;
/** The search, a description of a tool, the script, and the answer; the mean in the benchmark of tasks is 3.6. */
const REQUESTS_WITH_CODE = 4;

export interface ToolCatalogue {
  readonly tools: number;
  /** The common beginning of all requests: instructions, and tools that are always sent. */
  readonly base: number;
  /** The cost of sending all other tools. */
  readonly direct: number;
  /** The cost of the search tools. */
  readonly search: number;
  /** The cost of the search tools with scripts; `undefined` if the model may not write scripts. */
  readonly code?: number | undefined;
}

/** `Infinity` for a mode that is unavailable. */
export function modeCosts(
  catalogue: ToolCatalogue,
  { calls, resultTokens }: ExpectedTask = USUAL_TASK,
): Readonly<Record<ToolMode, number>> {
  const results = (resultTokens * calls * (calls + 1)) / 2;
  const { tools, base, direct, search, code = Number.POSITIVE_INFINITY } = catalogue;
  const found = searchAnswerTokens(tools);
  return {
    direct: (base + direct) * (calls + 1) + results,
    search: (base + search) * (calls + 2) + found * (calls + 1) + results,
    // The description is read twice, the result of the script once.
    code: (base + code) * REQUESTS_WITH_CODE + (found + SCRIPT_TOKENS + resultTokens) * 3,
  };
}

/** 700 tokens if there are many tools. */
export function searchAnswerTokens(tools: number): number {
  return LINE_TOKENS * Math.min(tools, MOST_LINES) + HOW_TO_CALL_TOKENS;
}

/** The first one of equal cost. */
export function cheapestMode(
  costs: Readonly<Record<ToolMode, number>>,
  among: readonly ToolMode[] = ['direct', 'search', 'code'],
): ToolMode {
  return among.reduce((best, mode) => (costs[mode] < costs[best] ? mode : best));
}

export interface SearchTokens {
  readonly prefix: number;
  readonly answer: number;
}

/**
 * Whether to send tools although others are searched for: if avoiding a search saves more than the definitions cost.
 * `chance`: the probability that one of them is used in a conversation. `prefix`: the beginning of the search's request.
 */
export function paysToSend(
  { chance, tokens }: { readonly chance: number; readonly tokens: number },
  { prefix, answer }: SearchTokens,
): boolean {
  const { calls } = USUAL_TASK;
  const search = prefix + answer * (calls + 1);
  return chance * search >= tokens * (calls + 2);
}
