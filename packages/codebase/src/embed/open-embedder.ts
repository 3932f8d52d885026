// Opens the embedder that the settings name. An unavailable embedder is not an error: the result states the reason, and
// search continues by words alone.

import {
  type Clock,
  CodedError,
  err,
  messageOf,
  never,
  ok,
  type Random,
  type Result,
  systemClock,
} from '@plugboard/base';
import { environmentVariable } from '../platform/index.ts';
import type { Embedder } from './embedder.ts';
import type { EmbedderSettings, OllamaSettings, OpenAiSettings } from './embedder-settings.ts';
import { ollamaVectors, openAiVectors } from './remote-answer.ts';
import {
  probeDimensions,
  type RemoteApi,
  RemoteEmbedder,
  type RemotePorts,
} from './remote-embedder.ts';
import { openStatic } from './static-embedder.ts';

export type OpenedEmbedder =
  | { readonly kind: 'open'; readonly embedder: Embedder }
  /** `reason` is a sentence for people. */
  | { readonly kind: 'none'; readonly reason: string };

/** The dependencies of an embedder; each has a default. */
export interface EmbedderPorts {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly environment?: (name: string) => string | undefined;
  /** The folder of the embedded table, if not in its package. */
  readonly modelFolder?: string;
  readonly signal?: AbortSignal;
}

const OLLAMA_URL = 'http://127.0.0.1:11434';

export async function openEmbedder(
  settings: EmbedderSettings,
  ports: EmbedderPorts = {},
): Promise<OpenedEmbedder> {
  switch (settings.kind) {
    case 'none':
      return none('embeddings are turned off (embedder.kind is "none")');
    case 'embedded':
      return openEmbedded(ports);
    case 'openai':
      return openOpenAi(settings, ports);
    case 'ollama':
      return openRemote(ollamaApi(settings), undefined, ports);
    default:
      return settings satisfies never;
  }
}

function none(reason: string): OpenedEmbedder {
  return { kind: 'none', reason };
}

async function openEmbedded({ modelFolder }: EmbedderPorts): Promise<OpenedEmbedder> {
  const opened = await openStatic(modelFolder);
  return opened.ok ? { kind: 'open', embedder: opened.value } : none(opened.error);
}

async function openOpenAi(settings: OpenAiSettings, ports: EmbedderPorts): Promise<OpenedEmbedder> {
  const apiKey = readApiKey(settings, ports);
  if (!apiKey.ok) return none(apiKey.error);
  const { model, dimensions } = settings;
  const api: RemoteApi = {
    kind: 'openai',
    url: endpointOf(settings.url),
    model,
    bodyOf: (input) => ({ model, input, ...(dimensions === undefined ? {} : { dimensions }) }),
    readVectors: openAiVectors,
    missingModel: 'check both',
    apiKey: apiKey.value,
  };
  return openRemote(api, dimensions, ports);
}

function readApiKey(
  { apiKeyVariable }: OpenAiSettings,
  { environment = environmentVariable }: EmbedderPorts,
): Result<RemoteApi['apiKey'], string> {
  if (apiKeyVariable === undefined) return ok(() => undefined);
  if (environment(apiKeyVariable) === undefined) {
    return err(
      `embedder.apiKeyVariable names ${apiKeyVariable}, which is not set; fix: set it to the key`,
    );
  }
  return ok(() => environment(apiKeyVariable));
}

/** Accepts the address of a service with or without the version at its end. */
function endpointOf(url: string): string {
  const base = url.replace(/\/+$/, '');
  return /\/v\d+$/.test(base) ? `${base}/embeddings` : `${base}/v1/embeddings`;
}

function ollamaApi({ url = OLLAMA_URL, model }: OllamaSettings): RemoteApi {
  return {
    kind: 'ollama',
    url: `${url.replace(/\/+$/, '')}/api/embed`,
    model,
    bodyOf: (input) => ({ model, input, truncate: true }),
    readVectors: ollamaVectors,
    missingModel: `ollama pull ${model}`,
    apiKey: () => undefined,
  };
}

async function openRemote(
  api: RemoteApi,
  dimensions: number | undefined,
  ports: EmbedderPorts,
): Promise<OpenedEmbedder> {
  const { clock = systemClock, random = Math.random, signal = never } = ports;
  const remote: RemotePorts = { clock, random };
  try {
    const size = dimensions ?? (await probeDimensions(api, remote, signal));
    return { kind: 'open', embedder: new RemoteEmbedder(api, remote, size) };
  } catch (thrown) {
    if (!(thrown instanceof CodedError) || signal.aborted) throw thrown;
    return none(messageOf(thrown));
  }
}
