// Gemini, over the Generative Language API. Requests thoughts from models that support them; their signatures are sent
// back with their parts.

import type { CallOptions, Vendor, VendorSettings } from './vendor.ts';

export async function openGoogle(settings: VendorSettings): Promise<Vendor> {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
  const provider = createGoogleGenerativeAI({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    fetch: settings.fetch,
  });
  return {
    model: provider(settings.model),
    schemas: 'gemini',
    imagesInAnswers: 'inside',
    plainReasoning: 'dropped',
    finish: (options) => withThoughts(options, settings.model),
  };
}

const THINKING = /gemini-(?:2\.5|[3-9])/u;

function withThoughts(options: CallOptions, model: string): CallOptions {
  if (!THINKING.test(model)) return options;
  const google = { thinkingConfig: { includeThoughts: true } };
  return { ...options, providerOptions: { ...options.providerOptions, google } };
}
