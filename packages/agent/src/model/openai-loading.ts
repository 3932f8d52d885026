// Loads tools by the tool search of OpenAI: the API has special items for a search and its result, which the SDK creates
// from calls of a tool with this name. Only searches that came from the API as such items are sent back as items.

import type { JSONObject } from '@ai-sdk/provider';
import { isObject, parseJson } from '@plugboard/base';
import { SEARCH_TOOLS } from '@plugboard/host/adapters';
import type { StreamPart } from './read-answer.ts';
import {
  type CallOptions,
  type FoundTools,
  type FunctionTool,
  type PromptMessage,
  type ToolLoading,
  withResultsOf,
} from './vendor.ts';

const NATIVE_NAME = 'tool_search';
/** The beginning of the ids of such items. */
const ITEM = /^tsc/u;

/** https://developers.openai.com/api/docs/guides/tools-tool-search#client-executed-tool-search */
export const OPENAI_LOADING: ToolLoading = {
  // Tools are sent only once they are found.
  most: Number.POSITIVE_INFINITY,
  apply: withSearch,
  read: readSearch,
};

type Tool = NonNullable<CallOptions['tools']>[number];
type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number];

function withSearch(options: CallOptions, { search, found }: FoundTools): CallOptions {
  const items = new Set<string>();
  const asItem = (part: AssistantPart): AssistantPart => {
    if (part.type !== 'tool-call' || part.toolName !== search || !isItem(part)) return part;
    items.add(part.toolCallId);
    const input = { arguments: part.input, call_id: part.toolCallId };
    return { ...part, toolName: NATIVE_NAME, input };
  };
  const prompt = options.prompt.map((message) =>
    message.role === 'assistant' ? { ...message, content: message.content.map(asItem) } : message,
  );
  return {
    ...options,
    tools: options.tools?.map((tool) => (tool.name === search ? toItem(tool) : tool)) ?? [],
    prompt: withResultsOf(search, prompt, (result) => {
      if (!items.has(result.toolCallId)) return result;
      // There is no item for a search that failed.
      const tools = (found.get(result.toolCallId) ?? []).map(toDefinition);
      return { ...result, toolName: NATIVE_NAME, output: { type: 'json', value: { tools } } };
    }),
  };
}

function toItem(tool: Tool): Tool {
  if (tool.type !== 'function') return tool;
  const { description = '' } = tool;
  const args = { execution: 'client', description, parameters: tool.inputSchema as JSONObject };
  return { type: 'provider', id: 'openai.tool_search', name: NATIVE_NAME, args };
}

function toDefinition({ name, description = '', inputSchema }: FunctionTool): JSONObject {
  const loaded = { strict: false, defer_loading: true };
  // The schema is JSON, like everything that a server lists.
  return { type: 'function', name, description, parameters: inputSchema as JSONObject, ...loaded };
}

function readSearch(part: StreamPart): StreamPart {
  if (part.type === 'tool-input-start' && part.toolName === NATIVE_NAME) {
    return { ...part, toolName: SEARCH_TOOLS };
  }
  if (part.type !== 'tool-call' || part.toolName !== NATIVE_NAME) return part;
  return { ...part, toolName: SEARCH_TOOLS, input: argumentsIn(part.input) };
}

const LIMITS = { maxLength: 1024 * 1024, maxDepth: 50 };

/** The SDK wraps them together with the id of the call. */
function argumentsIn(input: string): string {
  const parsed = parseJson(input, LIMITS);
  const given = parsed.ok && isObject(parsed.value) ? parsed.value['arguments'] : undefined;
  return typeof given === 'string' ? given : JSON.stringify(given ?? {});
}

function isItem({ providerOptions }: AssistantPart): boolean {
  const id = providerOptions?.['openai']?.['itemId'];
  return typeof id === 'string' && ITEM.test(id);
}
