// Claude, over the Messages API. Marks what is to be cached: the tools, the instructions, and the last two messages
// that were not the model's, so that the next step finds the marks of this one.

import type {
  CallOptions,
  FunctionTool,
  Prompt,
  PromptMessage,
  ProviderOptions,
  Vendor,
  VendorSettings,
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
    metadataKey: 'anthropic',
    imagesInAnswers: 'inside',
    plainReasoning: 'dropped',
    finish: (options) => withCacheMarks(withThinking(options, settings.model)),
  };
}

const CACHED: ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Of at most four marks one is for the tools and one for the instructions. */
const MARKED_MESSAGES = 2;

/** Models before these think only within a budget that is set for each; they answer without. */
const ADAPTIVE = /claude-(?:(?:opus|sonnet)-4-[6-9]|(?:opus|sonnet|haiku|fable)-[5-9])/u;

/** Their thoughts are bound to all that came before, which changes when a conversation is compacted. */
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
  return { ...marked, tools: tools.map((tool, at) => markedTool(tool, at === tools.length - 1)) };
}

type Tool = NonNullable<CallOptions['tools']>[number];

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
