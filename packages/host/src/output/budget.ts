// How large a result may be. The user's word for a tool counts before that for its server; where the user
// says nothing, what the tool itself asks for raises what the program set, up to a cap. Pure.

import type { JsonObject } from '@plugboard/base';

export interface ResultLimits {
  readonly maxCharacters: number;
  readonly maxTokens: number;
}

export const DEFAULT_RESULT_LIMITS: ResultLimits = { maxCharacters: 100_000, maxTokens: 25_000 };
/** As far as a tool may raise its own limit. */
export const DEFAULT_RAISE_CAP = 500_000;
/** Less would not hold a note about what is missing. */
const LEAST_CHARACTERS = 1000;
const LEAST_TOKENS = 500;

/** What an entry says about the results of a server. */
export interface EntryOutput extends Partial<ResultLimits> {
  readonly tools?: Readonly<Record<string, Partial<ResultLimits>>>;
}

/** In a tool's `_meta`: how many characters its results may have. */
const META_KEY = 'anthropic/maxResultSizeChars';

export function limitsFor(options: {
  readonly program: ResultLimits;
  readonly raiseCap: number;
  readonly entry: EntryOutput | undefined;
  readonly tool: { readonly name: string; readonly _meta?: JsonObject };
}): ResultLimits {
  const { program, raiseCap, entry: ofServer = NOTHING, tool } = options;
  const { tools = NO_TOOLS } = ofServer;
  const ofTool = Object.hasOwn(tools, tool.name) ? (tools[tool.name] ?? NOTHING) : NOTHING;
  const isStated = saysSomething(ofServer) || saysSomething(ofTool);
  const base = isStated ? program : raised(program, tool._meta?.[META_KEY], raiseCap);
  return atLeast({
    maxCharacters: ofTool.maxCharacters ?? ofServer.maxCharacters ?? base.maxCharacters,
    maxTokens: ofTool.maxTokens ?? ofServer.maxTokens ?? base.maxTokens,
  });
}

const NOTHING: EntryOutput = {};
const NO_TOOLS: NonNullable<EntryOutput['tools']> = {};

function saysSomething({ maxCharacters, maxTokens }: Partial<ResultLimits>): boolean {
  return maxCharacters !== undefined || maxTokens !== undefined;
}

/** Tokens in the same proportion: the tool speaks of characters only. */
function raised(program: ResultLimits, asked: unknown, cap: number): ResultLimits {
  if (typeof asked !== 'number' || !(asked > program.maxCharacters)) return program;
  const maxCharacters = Math.max(program.maxCharacters, Math.floor(Math.min(asked, cap)));
  const share = maxCharacters / program.maxCharacters;
  return { maxCharacters, maxTokens: Math.floor(program.maxTokens * share) };
}

function atLeast({ maxCharacters, maxTokens }: ResultLimits): ResultLimits {
  return {
    maxCharacters: Math.max(LEAST_CHARACTERS, maxCharacters),
    maxTokens: Math.max(LEAST_TOKENS, maxTokens),
  };
}
