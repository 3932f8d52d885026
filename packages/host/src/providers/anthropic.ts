// A host's tools for Anthropic's Messages API: `tools` goes into the request, and `run` turns a block in
// which the model uses one into the block that answers it.

import type { CallOutcome } from '../host/index.ts';
import { type Content, contentOf } from './answer-content.ts';
import { type FitOptions, fitTools, type ToolSource } from './fit-tools.ts';

export interface AnthropicTools {
  readonly tools: AnthropicTool[];
  /** The servers whose tools are missing. */
  readonly problems: readonly CallOutcome[];
  readonly run: (block: AnthropicToolUse, signal?: AbortSignal) => Promise<AnthropicToolResult>;
}

// Arrays are not readonly, since the API's own types want them so.

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: {
    type: 'object';
    properties?: unknown;
    required?: string[];
    [keyword: string]: unknown;
  };
}

export interface AnthropicToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: (AnthropicText | AnthropicImage)[];
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

type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

export async function anthropicTools(
  host: ToolSource,
  options?: FitOptions,
): Promise<AnthropicTools> {
  const { fit, problems, run } = await fitTools(host, 'anthropic', options);
  return {
    tools: fit.map(({ tool: { name, description }, schema }) => ({
      name,
      description,
      input_schema: { ...schema, type: 'object' } as AnthropicTool['input_schema'],
    })),
    problems,
    run: async ({ id, name, input }, signal) => {
      const answer = await run(name, input, signal);
      return {
        type: 'tool_result',
        tool_use_id: id,
        content: contentOf(answer).map(toBlock),
        ...(answer.isError ? { is_error: true } : {}),
      };
    },
  };
}

function toBlock(content: Content): AnthropicText | AnthropicImage {
  if (content.kind === 'text') return { type: 'text', text: content.text };
  // `contentOf` gives no others.
  const media_type = content.mimeType as AnthropicImageType;
  return { type: 'image', source: { type: 'base64', media_type, data: content.data } };
}
