// The size limits of a result. The user's limits for a tool take precedence over those for its server; without any, the
// tool itself may raise the program's limits up to a cap. Pure.

import type { JsonObject } from '@plugboard/base';

export interface ResultLimits {
  readonly maxCharacters: number;
  readonly maxTokens: number;
}

export const DEFAULT_RESULT_LIMITS: ResultLimits = { maxCharacters: 100_000, maxTokens: 25_000 };
/** The maximum to which a tool may raise its own limit. */
export const DEFAULT_RAISE_CAP = 500_000;
/** Smaller limits would not leave room for a note about the cut. */
const LEAST_CHARACTERS = 1000;
const LEAST_TOKENS = 500;

/** The size limits of images for a model. */
export interface ImageLimits {
  /** In pixels; the model's provider would resize a larger image anyway. */
  readonly maxEdge: number;
  /** The length of the Base64 text, which providers count. */
  readonly maxBytes: number;
  /** Larger images are not decoded: a file of a few bytes can claim billions of pixels. */
  readonly maxPixels: number;
}

export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxEdge: 1568,
  maxBytes: 5 * 1024 * 1024,
  maxPixels: 100_000_000,
};

/** The limits in the entry of a server. */
export interface EntryOutput extends Partial<ResultLimits> {
  readonly tools?: Readonly<Record<string, Partial<ResultLimits>>>;
}

/** The key in a tool's `_meta` for the maximum number of characters of its results. */
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
  const isStated = statesLimit(ofServer) || statesLimit(ofTool);
  const base = isStated ? program : raised(program, tool._meta?.[META_KEY], raiseCap);
  return atLeast({
    maxCharacters: ofTool.maxCharacters ?? ofServer.maxCharacters ?? base.maxCharacters,
    maxTokens: ofTool.maxTokens ?? ofServer.maxTokens ?? base.maxTokens,
  });
}

const NOTHING: EntryOutput = {};
const NO_TOOLS: NonNullable<EntryOutput['tools']> = {};

function statesLimit({ maxCharacters, maxTokens }: Partial<ResultLimits>): boolean {
  return maxCharacters !== undefined || maxTokens !== undefined;
}

/** Raises the tokens in the same proportion, since the tool states characters only. */
function raised(program: ResultLimits, requested: unknown, cap: number): ResultLimits {
  if (typeof requested !== 'number' || !(requested > program.maxCharacters)) return program;
  const maxCharacters = Math.max(program.maxCharacters, Math.floor(Math.min(requested, cap)));
  const share = maxCharacters / program.maxCharacters;
  return { maxCharacters, maxTokens: Math.floor(program.maxTokens * share) };
}

function atLeast({ maxCharacters, maxTokens }: ResultLimits): ResultLimits {
  return {
    maxCharacters: Math.max(LEAST_CHARACTERS, maxCharacters),
    maxTokens: Math.max(LEAST_TOKENS, maxTokens),
  };
}
