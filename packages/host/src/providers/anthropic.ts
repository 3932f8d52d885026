// A host's tools for Anthropic's Messages API: `tools` is part of the request, and `run` turns a `tool_use` block of the
// model into the block that answers it.

import type { CallOutcome } from '../host/index.ts';
import { type Content, contentOf } from './answer-content.ts';
import {
  type FitOptions,
  type FitTool,
  fitTools,
  type NativeFitOptions,
  type ToolSource,
} from './fit-tools.ts';

export interface AnthropicTools<Block = AnthropicText | AnthropicImage> {
  readonly tools: AnthropicTool[];
  /** The servers whose tools are missing. */
  readonly problems: readonly CallOutcome[];
  readonly run: (
    block: AnthropicToolUse,
    signal?: AbortSignal,
  ) => Promise<AnthropicToolResult<Block>>;
}

/** With a native search, answers may be references to tools. */
export type AnthropicNativeTools = AnthropicTools<
  AnthropicText | AnthropicImage | AnthropicToolReference
>;

// Arrays are not readonly, as in the API's own types.

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: {
    type: 'object';
    properties?: unknown;
    required?: string[];
    [keyword: string]: unknown;
  };
  /** The model does not see it until a reference in an answer names it. */
  defer_loading?: true;
}

export interface AnthropicToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface AnthropicToolResult<Block = AnthropicText | AnthropicImage> {
  type: 'tool_result';
  tool_use_id: string;
  content: Block[];
  is_error?: true;
}

export interface AnthropicText {
  type: 'text';
  text: string;
}

export interface AnthropicImage {
  type: 'image';
  source: { type: 'base64'; media_type: AnthropicImageType; data: string };
}

export interface AnthropicToolReference {
  type: 'tool_reference';
  tool_name: string;
}

type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** The limit for a request, including deferred tools. */
const MOST_TOOLS = 10_000;

export async function anthropicTools(
  host: ToolSource,
  options: NativeFitOptions,
): Promise<AnthropicNativeTools>;
export async function anthropicTools(
  host: ToolSource,
  options?: FitOptions,
): Promise<AnthropicTools>;
export async function anthropicTools(
  host: ToolSource,
  options?: FitOptions | NativeFitOptions,
): Promise<AnthropicNativeTools> {
  const request = { ...options, mostLoadable: MOST_TOOLS };
  const { fit, native, problems, run } = await fitTools(host, 'anthropic', request);
  return {
    tools:
      native === undefined
        ? fit.map(toTool)
        : [...[...fit, native.search].map(toTool), ...native.deferred.map(toDeferred)],
    problems,
    run: async ({ id, name, input }, signal) => {
      const answer = await run(name, input, signal);
      return {
        type: 'tool_result',
        tool_use_id: id,
        content:
          native !== undefined && answer.found !== undefined
            ? answer.found.map((tool_name) => ({ type: 'tool_reference', tool_name }))
            : contentOf(answer).map(toBlock),
        ...(answer.isError ? { is_error: true } : {}),
      };
    },
  };
}

function toTool({ tool: { name, description }, schema }: FitTool): AnthropicTool {
  const input_schema = { ...schema, type: 'object' } as AnthropicTool['input_schema'];
  return { name, description, input_schema };
}

function toDeferred(tool: FitTool): AnthropicTool {
  return { ...toTool(tool), defer_loading: true };
}

function toBlock(content: Content): AnthropicText | AnthropicImage {
  if (content.kind === 'text') return { type: 'text', text: content.text };
  // `contentOf` returns no other types.
  const media_type = content.mimeType as AnthropicImageType;
  return { type: 'image', source: { type: 'base64', media_type, data: content.data } };
}
