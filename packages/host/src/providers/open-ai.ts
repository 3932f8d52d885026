// A host's tools for OpenAI's two APIs, and for the many that copy the older one. Neither has a mark for
// errors, so an answer that is one says so in words.

import type { CallOutcome } from '../host/index.ts';
import { type Content, contentOf, answerText } from './answer-content.ts';
import { type FitOptions, fitTools, type ToolSource } from './fit-tools.ts';

/** For the Responses API. */
export interface OpenAiTools {
  readonly tools: OpenAiTool[];
  /** The servers whose tools are missing. */
  readonly problems: readonly CallOutcome[];
  readonly run: (call: OpenAiFunctionCall, signal?: AbortSignal) => Promise<OpenAiFunctionOutput>;
}

// Arrays are not readonly, since the APIs' own types want them so.

export interface OpenAiTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** A strict schema has to name every property as required, which those of servers do not. */
  strict: false;
}

export interface OpenAiFunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface OpenAiFunctionOutput {
  type: 'function_call_output';
  call_id: string;
  output: OpenAiContent[];
}

export type OpenAiContent =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' };

/** For the Chat Completions API. */
export interface OpenAiChatTools {
  readonly tools: OpenAiChatTool[];
  /** The servers whose tools are missing. */
  readonly problems: readonly CallOutcome[];
  readonly run: (call: OpenAiChatCall, signal?: AbortSignal) => Promise<OpenAiChatResult>;
}

export interface OpenAiChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

export interface OpenAiChatCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface OpenAiChatResult {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

export async function openAiTools(host: ToolSource, options?: FitOptions): Promise<OpenAiTools> {
  const { fit, problems, run } = await fitTools(host, 'openai', options);
  return {
    tools: fit.map(({ tool: { name, description }, schema }) => ({
      ...{ type: 'function', name, description, strict: false },
      parameters: { ...schema },
    })),
    problems,
    run: async ({ call_id, name, arguments: given }, signal) => ({
      type: 'function_call_output',
      call_id,
      output: contentOf(await run(name, given, signal)).map(toItem),
    }),
  };
}

export async function openAiChatTools(
  host: ToolSource,
  options?: FitOptions,
): Promise<OpenAiChatTools> {
  const { fit, problems, run } = await fitTools(host, 'openai', options);
  return {
    tools: fit.map(({ tool: { name, description }, schema }) => ({
      type: 'function',
      function: { name, description, parameters: { ...schema } },
    })),
    problems,
    run: async ({ id, function: { name, arguments: given } }, signal) => ({
      role: 'tool',
      tool_call_id: id,
      content: answerText(await run(name, given, signal)),
    }),
  };
}

function toItem(content: Content): OpenAiContent {
  return content.kind === 'text'
    ? { type: 'input_text', text: content.text }
    : {
        type: 'input_image',
        image_url: `data:${content.mimeType};base64,${content.data}`,
        detail: 'auto',
      };
}
