// OpenAI, over the Responses API. Nothing is stored at the provider: reasoning comes encrypted with the answer and is sent
// back with the conversation.

import { OPENAI_LOADING } from './openai-loading.ts';
import type { CallOptions, Vendor, VendorSettings } from './vendor.ts';

export async function openOpenAi(settings: VendorSettings): Promise<Vendor> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  const provider = createOpenAI({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    fetch: settings.fetch,
  });
  return {
    model: provider.responses(settings.model),
    schemas: 'openai',
    imagesInAnswers: 'inside',
    plainReasoning: 'dropped',
    loading: OPENAI_LOADING,
    finish: (options) => withOwnOptions(options, settings.model),
  };
}

const REASONING = /^(?:o[1-9]|gpt-[5-9])/u;
const SILENT = /-chat/u;

function withOwnOptions(options: CallOptions, model: string): CallOptions {
  const reasons = REASONING.test(model) && !SILENT.test(model);
  const openai = {
    store: false,
    strictJsonSchema: false,
    ...(reasons ? { include: ['reasoning.encrypted_content'], reasoningSummary: 'auto' } : {}),
  };
  const providerOptions = { ...options.providerOptions, openai };
  if (options.tools === undefined) return { ...options, providerOptions };
  // It is on by default, and would refuse most schemas of servers.
  const tools = options.tools.map((tool) =>
    tool.type === 'function' ? { ...tool, strict: false } : tool,
  );
  return { ...options, providerOptions, tools };
}
