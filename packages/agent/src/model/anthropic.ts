// Claude, over the Messages API. Sets the marks for the cache: at the tools, the instructions, and the last two messages
// that are not the model's, so that the next request finds the marks of this one.

import {
  type CallOptions,
  type FoundTools,
  type FunctionTool,
  type Prompt,
  type PromptMessage,
  type ProviderOptions,
  type Vendor,
  type VendorSettings,
  withResultsOf,
} from './vendor.ts';

export async function openAnthropic(settings: VendorSettings): Promise<Vendor> {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  const provider = createAnthropic({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    fetch: settings.fetch,
  });
  return {
    model: provider(settings.model),
    schemas: 'anthropic',
    imagesInAnswers: 'inside',
    plainReasoning: 'dropped',
    loading: { most: MOST_TOOLS, apply: withLoading },
    finish: (options) => withCacheMarks(withThinking(options, settings.model)),
  };
}

/** All their definitions are sent with every request, 700 bytes each. The API accepts 10,000. */
const MOST_TOOLS = 2000;

const DEFERRED: ProviderOptions = { anthropic: { deferLoading: true } };

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#custom-tool-search-implementation */
function withLoading(options: CallOptions, { search, deferred, found }: FoundTools): CallOptions {
  const later = deferred.map((tool) => ({ ...tool, providerOptions: DEFERRED }));
  return {
    ...options,
    tools: [...(options.tools ?? []), ...later],
    prompt: withResultsOf(search, options.prompt, (result) => {
      const names = found.get(result.toolCallId)?.map(({ name }) => name);
      if (names === undefined) return result;
      return { ...result, output: { type: 'content', value: names.map(referenceTo) } };
    }),
  };
}

function referenceTo(toolName: string): {
  readonly type: 'custom';
  readonly providerOptions: ProviderOptions;
} {
  return {
    type: 'custom',
    providerOptions: { anthropic: { type: 'tool-reference', toolName } },
  };
}

const CACHED: ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** The API allows four marks: one is for the tools and one for the instructions. */
const MARKED_MESSAGES = 2;

/** Older models require a thinking budget for each model; they answer without thinking. */
const ADAPTIVE = /claude-(?:(?:opus|sonnet)-4-[6-9]|(?:opus|sonnet|haiku|fable)-[5-9])/u;

/** Their reasoning is bound to all earlier messages, which change when a conversation is compacted. */
const BOUND = /claude-(?:fable-5-1|(?:opus|sonnet)-5-5)/u;

function withThinking(options: CallOptions, model: string): CallOptions {
  if (!ADAPTIVE.test(model)) return options;
  const thinking = {
    type: 'adaptive',
    display: 'summarized',
    ...(BOUND.test(model) && { blockBinding: { prefixMismatchBehavior: 'drop_block' } }),
  };
  const anthropic = { thinking };
  return { ...options, providerOptions: { ...options.providerOptions, anthropic } };
}

function withCacheMarks(options: CallOptions): CallOptions {
  const { tools, prompt, ...rest } = options;
  const marked: CallOptions = { ...rest, prompt: markedPrompt(prompt) };
  if (tools === undefined) return marked;
  // Deferred tools are not cached, and the API refuses a mark on them.
  const last = tools.findLastIndex((tool) => !isDeferred(tool));
  return { ...marked, tools: tools.map((tool, at) => markedTool(tool, at === last)) };
}

type Tool = NonNullable<CallOptions['tools']>[number];

function isDeferred(tool: Tool): boolean {
  return tool.type === 'function' && tool.providerOptions === DEFERRED;
}

function markedTool(tool: Tool, isLast: boolean): Tool {
  if (!isLast || tool.type !== 'function') return tool;
  return { ...tool, providerOptions: CACHED } satisfies FunctionTool;
}

function markedPrompt(prompt: Prompt): Prompt {
  const ours = prompt.flatMap(({ role }, at) => (role === 'user' || role === 'tool' ? [at] : []));
  const last = new Set(ours.slice(-MARKED_MESSAGES));
  return prompt.map((message, at): PromptMessage => {
    const isMarked = message.role === 'system' || last.has(at);
    return isMarked ? { ...message, providerOptions: CACHED } : message;
  });
}
