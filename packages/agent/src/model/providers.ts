// The known providers: their addresses, the variables of their keys, and their default models. Data only; every other name
// is an endpoint whose address is in the user's settings.

import { isLoopback, isUrl } from '@plugboard/base';

export type ProviderKind = 'anthropic' | 'openai' | 'google' | 'compatible';

export interface KnownProvider {
  readonly name: string;
  readonly title: string;
  readonly kind: ProviderKind;
  /** The first one that is set counts. */
  readonly keyVariables: readonly string[];
  readonly addressVariables: readonly string[];
  /** The variables with the model, for an endpoint without a default one. */
  readonly modelVariables: readonly string[];
  /** With its version; `undefined` if there is no default. */
  readonly address?: string;
  readonly needsKey: 'yes' | 'no';
  readonly defaultModel?: string;
  /** For help texts, if there is no default model. */
  readonly exampleModel?: string;
  /** Matches the names of its models, so that users need not write the provider. */
  readonly modelNames?: RegExp;
  /** The models that can load tools, at this provider's own address. */
  readonly loadsTools?: RegExp;
}

/** The first one with a key is the default. */
export const PROVIDERS: readonly KnownProvider[] = [
  {
    name: 'anthropic',
    title: 'Anthropic',
    kind: 'anthropic',
    keyVariables: ['ANTHROPIC_API_KEY'],
    addressVariables: ['ANTHROPIC_BASE_URL'],
    modelVariables: [],
    address: 'https://api.anthropic.com/v1',
    needsKey: 'yes',
    defaultModel: 'claude-sonnet-5-5',
    modelNames: /^claude-/u,
    loadsTools: /^claude-(?:(?:opus|sonnet)-[4-9]|haiku-(?:4-[5-9]|[5-9])|(?:fable|mythos)-)/u,
  },
  {
    name: 'openai',
    title: 'OpenAI',
    kind: 'openai',
    keyVariables: ['OPENAI_API_KEY'],
    addressVariables: ['OPENAI_BASE_URL'],
    modelVariables: [],
    address: 'https://api.openai.com/v1',
    needsKey: 'yes',
    defaultModel: 'gpt-6.1-sol',
    modelNames: /^(?:gpt-|chatgpt-|o[1-9](?:$|-))/u,
    loadsTools: /^gpt-(?:5\.[4-9]|[6-9])(?!.*-(?:chat|nano))/u,
  },
  {
    name: 'google',
    title: 'Google Gemini',
    kind: 'google',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    addressVariables: ['GOOGLE_GENERATIVE_AI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
    modelVariables: [],
    address: 'https://generativelanguage.googleapis.com/v1beta',
    needsKey: 'yes',
    defaultModel: 'gemini-3.8-flash',
    modelNames: /^gemini-/u,
  },
  {
    name: 'compatible',
    title: 'an endpoint like OpenAI’s',
    kind: 'compatible',
    keyVariables: ['OPENAI_API_KEY'],
    addressVariables: ['OPENAI_BASE_URL'],
    modelVariables: ['OPENAI_MODEL'],
    needsKey: 'no',
  },
  {
    name: 'ollama',
    title: 'Ollama',
    kind: 'compatible',
    keyVariables: ['OLLAMA_API_KEY'],
    addressVariables: ['OLLAMA_BASE_URL'],
    modelVariables: ['OLLAMA_MODEL'],
    address: 'http://127.0.0.1:11434/v1',
    needsKey: 'no',
    exampleModel: 'qwen3',
  },
  {
    name: 'lmstudio',
    title: 'LM Studio',
    kind: 'compatible',
    keyVariables: [],
    addressVariables: ['LMSTUDIO_BASE_URL'],
    modelVariables: ['LMSTUDIO_MODEL'],
    address: 'http://127.0.0.1:1234/v1',
    needsKey: 'no',
    exampleModel: 'openai/gpt-oss-20b',
  },
  {
    name: 'vllm',
    title: 'vLLM',
    kind: 'compatible',
    keyVariables: ['VLLM_API_KEY'],
    addressVariables: ['VLLM_BASE_URL'],
    modelVariables: ['VLLM_MODEL'],
    address: 'http://127.0.0.1:8000/v1',
    needsKey: 'no',
  },
];

/** Matches an address that ends with a version. */
const VERSIONED = /\/v\d+[a-z0-9]*$/u;

const VERSIONS: Readonly<Record<ProviderKind, string>> = {
  anthropic: '/v1',
  openai: '/v1',
  google: '/v1beta',
  compatible: '/v1',
};

/** The address with its version, as the SDK requires it: other programs set it with or without one. */
export function versioned(address: string, kind: ProviderKind): string | undefined {
  if (!isUrl(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const plain = `${url.origin}${url.pathname}`.replace(/\/+$/u, '');
  if (VERSIONED.test(plain)) return plain;
  // Anthropic's own programs add it to every path; for other providers a path is complete.
  const isBare = url.pathname.replace(/\/+$/u, '') === '';
  return isBare || kind === 'anthropic' ? `${plain}${VERSIONS[kind]}` : plain;
}

/** Whether requests to the address are encrypted or stay on this machine. */
export function isPrivate(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}
