// A host's tools for OpenAI's two APIs, and for the many copies of the older one. Neither can mark an answer as an error,
// so the text says it.

import type { CallOutcome } from '../host/index.ts';
import { type Content, contentOf, answerText } from './answer-content.ts';
import {
  type FitOptions,
  type FitTool,
  fitTools,
  type NativeFitOptions,
  type ToolSource,
} from './fit-tools.ts';

/** For the Responses API. */
export interface OpenAiTools {
  readonly tools: OpenAiTool[];
  /** The servers whose tools are missing. */
  readonly problems: readonly CallOutcome[];
  readonly run: (call: OpenAiFunctionCall, signal?: AbortSignal) => Promise<OpenAiFunctionOutput>;
}

/** For the Responses API with a native search, which has its own kind of item. */
export interface OpenAiNativeTools {
  readonly tools: (OpenAiTool | OpenAiToolSearch)[];
  /** The servers whose tools are missing. */
  readonly problems: readonly CallOutcome[];
  readonly run: (
    call: OpenAiFunctionCall | OpenAiToolSearchCall,
    signal?: AbortSignal,
  ) => Promise<OpenAiFunctionOutput | OpenAiToolSearchOutput>;
}

// Arrays are not readonly, as in the APIs' own types.

export interface OpenAiTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** A strict schema must list every property as required, which the schemas of servers do not. */
  strict: false;
  /** Set for a tool that a search found. */
  defer_loading?: true;
}

export interface OpenAiToolSearch {
  type: 'tool_search';
  execution: 'client';
  description: string;
  parameters: Record<string, unknown>;
}

export interface OpenAiToolSearchCall {
  readonly type: 'tool_search_call';
  /** `null` for a search that the provider ran itself. */
  readonly call_id: string | null;
  readonly arguments: unknown;
}

export interface OpenAiToolSearchOutput {
  type: 'tool_search_output';
  execution: 'client';
  status: 'completed';
  call_id: string | null;
  tools: OpenAiTool[];
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

export async function openAiTools(
  host: ToolSource,
  options: NativeFitOptions,
): Promise<OpenAiNativeTools>;
export async function openAiTools(host: ToolSource, options?: FitOptions): Promise<OpenAiTools>;
export async function openAiTools(
  host: ToolSource,
  options?: FitOptions | NativeFitOptions,
): Promise<OpenAiTools | OpenAiNativeTools> {
  // Tools are sent only once they are found, so there is no limit.
  const request = { ...options, mostLoadable: Number.POSITIVE_INFINITY };
  const { fit, native, problems, run } = await fitTools(host, 'openai', request);
  const tools: OpenAiNativeTools['tools'] = fit.map(toFunction);
  if (native !== undefined) tools.push(toSearch(native.search));
  const deferred = new Map(native?.deferred.map((each) => [each.tool.name, each]));
  return {
    tools,
    problems,
    run: async (call, signal) => {
      if (call.type === 'function_call') {
        const answer = await run(call.name, call.arguments, signal);
        const output = contentOf(answer).map(toItem);
        return { type: 'function_call_output', call_id: call.call_id, output };
      }
      const { found = [] } = await run(native?.search.tool.name ?? '', call.arguments, signal);
      return {
        ...{ type: 'tool_search_output', execution: 'client', status: 'completed' },
        call_id: call.call_id,
        tools: found
          .flatMap((name) => deferred.get(name) ?? [])
          .map((each) => ({ ...toFunction(each), defer_loading: true })),
      };
    },
  } satisfies OpenAiNativeTools;
}

function toFunction({ tool: { name, description }, schema }: FitTool): OpenAiTool {
  return {
    ...{ type: 'function', name, description, strict: false },
    parameters: { ...schema },
  };
}

function toSearch({ tool: { description }, schema }: FitTool): OpenAiToolSearch {
  const parameters = { ...schema };
  return { type: 'tool_search', execution: 'client', description, parameters };
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
