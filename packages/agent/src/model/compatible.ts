// Endpoints with OpenAI's Chat Completions API: Ollama, vLLM, LM Studio and many gateways. Answers of tools are text only,
// so images follow in a separate message.

import type { Vendor, VendorSettings } from './vendor.ts';

export async function openCompatible(settings: VendorSettings): Promise<Vendor> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name: METADATA_KEY,
    baseURL: settings.baseUrl,
    includeUsage: true,
    ...(settings.apiKey === '' ? {} : { apiKey: settings.apiKey }),
    fetch: settings.fetch,
  });
  return {
    model: provider(settings.model),
    schemas: 'openai',
    imagesInAnswers: 'behind',
    plainReasoning: 'sent',
    finish: (options) => options,
  };
}

/** One key for all endpoints: none of them adds data to its parts that another would not understand. */
const METADATA_KEY = 'compatible';
