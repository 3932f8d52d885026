// Parses the setting that chooses the embedder, and describes what is wrong with an invalid one. Pure.

import { endpointProblems, parseKind, type Result } from '@plugboard/base';

export type EmbedderSettings =
  | { readonly kind: 'embedded' }
  | OpenAiSettings
  | OllamaSettings
  | { readonly kind: 'none' };

/** Any server with OpenAI's `/v1/embeddings`. */
export interface OpenAiSettings {
  readonly kind: 'openai';
  readonly url: string;
  readonly model: string;
  /** The environment variable that holds the key. Without it no key is sent. */
  readonly apiKeyVariable?: string;
  /** The length of vectors, which is requested and checked. Without it a first request finds it out. */
  readonly dimensions?: number;
}

export interface OllamaSettings {
  readonly kind: 'ollama';
  readonly url?: string;
  readonly model: string;
}

const MOST_DIMENSIONS = 16_384;

/** The settings, or a sentence on each mistake. `undefined` means the embedded model. */
export function parseEmbedderSettings(
  value: unknown = 'embedded',
): Result<EmbedderSettings, readonly string[]> {
  return parseKind<EmbedderSettings>('embedder', value, {
    embedded: { fields: [] },
    openai: { fields: ['url', 'model', 'apiKeyVariable', 'dimensions'], problems: openAiProblems },
    ollama: { fields: ['url', 'model'], problems: ollamaProblems },
    none: { fields: [] },
  });
}

function openAiProblems(fields: Record<string, unknown>): string[] {
  const { url, model, apiKeyVariable, dimensions } = fields;
  return [
    ...endpointProblems('embedder', { urls: [url], keyVariable: apiKeyVariable }),
    ...modelProblems(model),
    ...dimensionProblems(dimensions),
  ];
}

function ollamaProblems({ url, model }: Record<string, unknown>): string[] {
  const urls = url === undefined ? [] : [url];
  return [...endpointProblems('embedder', { urls }), ...modelProblems(model)];
}

function modelProblems(model: unknown): string[] {
  const isName = typeof model === 'string' && model.trim() !== '';
  return isName ? [] : ['embedder.model must be the name of a model'];
}

function dimensionProblems(dimensions: unknown): string[] {
  if (dimensions === undefined) return [];
  const isSize = Number.isInteger(dimensions) && Number(dimensions) > 0;
  if (isSize && Number(dimensions) <= MOST_DIMENSIONS) return [];
  return [`embedder.dimensions must be a whole number from 1 to ${MOST_DIMENSIONS}`];
}
