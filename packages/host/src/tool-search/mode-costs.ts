// What one task costs a model, for each way of giving it tools: how many tokens it reads. Every request is read from
// its beginning, so that what is there is paid with each request, and an answer with each that follows it. Cached input
// is cheaper for all ways alike, and is not looked at. Pure.

export type ToolMode = 'direct' | 'search' | 'code';

/** A task as a conversation usually has it. */
export interface ExpectedTask {
  /** Of tools of servers. */
  readonly calls: number;
  /** Of the answer to each. */
  readonly resultTokens: number;
}

export const USUAL_TASK: ExpectedTask = { calls: 3, resultTokens: 400 };

/** Of an answer to a search: a line for each tool that was found, in the median, and how to call one. */
const LINE_TOKENS = 47;
const MOST_LINES = 14;
const HOW_TO_CALL_TOKENS = 42;
/** A script over a few tools. */
const SCRIPT_TOKENS = 100;
/** The search, a look at what a tool takes or returns, the script, and the answer: 3.6 in the mean of the benchmark of tasks. */
const REQUESTS_WITH_CODE = 4;

export interface ToolCatalogue {
  readonly tools: number;
  /** What every request begins with in any case: instructions, and tools that are always sent. */
  readonly base: number;
  /** Of all tools that would be sent. */
  readonly direct: number;
  /** Of the tools that stand for them. */
  readonly search: number;
  /** The same where a model may write scripts; `undefined` if it may not. */
  readonly code?: number | undefined;
}

/** `Infinity` for a way that there is not. */
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
    // What the look brought is read twice, what the script brought once.
    code: (base + code) * REQUESTS_WITH_CODE + (found + SCRIPT_TOKENS + resultTokens) * 3,
  };
}

/** 700 tokens where there are many tools. */
export function searchAnswerTokens(tools: number): number {
  return LINE_TOKENS * Math.min(tools, MOST_LINES) + HOW_TO_CALL_TOKENS;
}

/** Of those that cost the same, the first. */
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
 * Whether tools are to be sent although others are searched for: where a search that is not needed saves more than the
 * definitions cost. `chance` is how likely one of them is to be used in a conversation, and the
 * request of a search begins with `prefix`.
 */
export function paysToSend(
  { chance, tokens }: { readonly chance: number; readonly tokens: number },
  { prefix, answer }: SearchTokens,
  { calls }: ExpectedTask = USUAL_TASK,
): boolean {
  const search = prefix + answer * (calls + 1);
  return chance * search >= tokens * (calls + 2);
}
