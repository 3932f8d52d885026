// Parses the setting that chooses the embedder, and describes what is wrong with an invalid one. Pure.

import { err, isObject, isUrl, ok, type Result } from '@plugboard/base';

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

const FIELDS = {
  embedded: [],
  openai: ['url', 'model', 'apiKeyVariable', 'dimensions'],
  ollama: ['url', 'model'],
  none: [],
} as const satisfies Readonly<Record<EmbedderSettings['kind'], readonly string[]>>;

const KINDS = Object.keys(FIELDS).map((kind) => `"${kind}"`);
const MOST_DIMENSIONS = 16_384;

/** The settings, or a sentence on each mistake. `undefined` means the embedded model. */
export function parseEmbedderSettings(value: unknown): Result<EmbedderSettings, readonly string[]> {
  if (value === undefined) return ok({ kind: 'embedded' });
  const fields = typeof value === 'string' ? { kind: value } : value;
  if (!isObject(fields)) {
    return err([`embedder must be an object with a "kind" (${KINDS.join(', ')})`]);
  }
  const { kind } = fields;
  if (typeof kind !== 'string' || !isKind(kind)) {
    return err([`embedder.kind must be one of ${KINDS.join(', ')}`]);
  }
  const problems = [
    ...unknownFields(kind, fields),
    ...(kind === 'openai' ? openAiProblems(fields) : []),
    ...(kind === 'ollama' ? ollamaProblems(fields) : []),
  ];
  // Each field was checked above.
  return problems.length > 0 ? err(problems) : ok({ ...fields } as unknown as EmbedderSettings);
}

function isKind(kind: string): kind is EmbedderSettings['kind'] {
  return Object.hasOwn(FIELDS, kind);
}

function unknownFields(kind: EmbedderSettings['kind'], fields: Record<string, unknown>): string[] {
  const known: readonly string[] = FIELDS[kind];
  const allowed =
    known.length === 0 ? `"${kind}" has no other fields` : `"${kind}" has ${known.join(', ')}`;
  return Object.keys(fields)
    .filter((name) => name !== 'kind' && !known.includes(name))
    .map((name) => `embedder.${name.slice(0, 40)} is unknown; ${allowed}`);
}

function openAiProblems(fields: Record<string, unknown>): string[] {
  const { url, model, apiKeyVariable, dimensions } = fields;
  return [
    ...urlProblems(url),
    ...modelProblems(model),
    ...variableProblems(apiKeyVariable, url),
    ...dimensionProblems(dimensions),
  ];
}

function ollamaProblems({ url, model }: Record<string, unknown>): string[] {
  return [...(url === undefined ? [] : urlProblems(url)), ...modelProblems(model)];
}

function modelProblems(model: unknown): string[] {
  const isName = typeof model === 'string' && model.trim() !== '';
  return isName ? [] : ['embedder.model must be the name of a model'];
}

function urlProblems(value: unknown): string[] {
  const url = typeof value === 'string' ? urlOf(value) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return ['embedder.url must be an address that begins with https:// or http://'];
  }
  if (url.username !== '' || url.password !== '') {
    return ['embedder.url must not hold a password; fix: name a variable in apiKeyVariable'];
  }
  if (url.search !== '' || url.hash !== '') {
    return ['embedder.url must not have a part after "?" or "#"'];
  }
  return [];
}

function variableProblems(variable: unknown, url: unknown): string[] {
  if (variable === undefined) return [];
  if (typeof variable !== 'string' || !/^[A-Za-z_]\w*$/.test(variable)) {
    return ['embedder.apiKeyVariable must be the name of a variable, not the key itself'];
  }
  const target = typeof url === 'string' ? urlOf(url) : undefined;
  if (target?.protocol !== 'http:' || isLoopback(target.hostname)) return [];
  return [
    'embedder.url must begin with https:// when apiKeyVariable is set, or anyone on the way can read the key',
  ];
}

function dimensionProblems(dimensions: unknown): string[] {
  if (dimensions === undefined) return [];
  const isSize = Number.isInteger(dimensions) && Number(dimensions) > 0;
  if (isSize && Number(dimensions) <= MOST_DIMENSIONS) return [];
  return [`embedder.dimensions must be a whole number from 1 to ${MOST_DIMENSIONS}`];
}

function urlOf(text: string): URL | undefined {
  return isUrl(text) ? new URL(text) : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
