// Opens the embedder that the settings name. One that cannot be had is no error: the answer says why, and search goes
// on with words alone.

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
import { environmentVariable, type StartSide } from '../platform/index.ts';
import { openEmbedded } from './embedded-embedder.ts';
import type { Embedder } from './embedder.ts';
import type { EmbedderSettings, OllamaSettings, OpenAiSettings } from './embedder-settings.ts';
import type { FailedEngine } from './engine.ts';
import { modelFolder, readManifest } from './model-files.ts';
import type { EngineName } from './onnx-engines.ts';
import { ollamaVectors, openAiVectors } from './remote-answer.ts';
import {
  probeDimensions,
  type RemoteApi,
  RemoteEmbedder,
  type RemotePorts,
} from './remote-embedder.ts';

export type OpenedEmbedder =
  /** `notes` are sentences on what is worse than it could be. */
  | { readonly kind: 'open'; readonly embedder: Embedder; readonly notes: readonly string[] }
  /** `reason` is a sentence for people. */
  | { readonly kind: 'none'; readonly reason: string };

/** What an embedder is handed from outside; each has a default. */
export interface EmbedderPorts {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly environment?: (name: string) => string | undefined;
  /** In place of `apiKeyVariable`: asked before each request. */
  readonly apiKey?: () => Promise<string | undefined>;
  /** Which engines the embedded model may use, in their order. */
  readonly engines?: readonly EngineName[];
  readonly threads?: number;
  readonly startSide?: StartSide;
  /** Where the files of the embedded model are, if not in their package. */
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
      return openModel(ports);
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

async function openModel(ports: EmbedderPorts): Promise<OpenedEmbedder> {
  const folder = ports.modelFolder === undefined ? modelFolder() : ok(ports.modelFolder);
  if (!folder.ok) return none(folder.error);
  const manifest = await readManifest(folder.value);
  if (!manifest.ok) return none(manifest.error);
  const { engines, threads, startSide } = ports;
  const opened = await openEmbedded({
    folder: folder.value,
    manifest: manifest.value,
    engines,
    threads,
    startSide,
    clock: ports.clock,
  });
  if (opened.kind === 'open') {
    return { kind: 'open', embedder: opened.embedder, notes: notesOn(opened.failed) };
  }
  if (opened.kind === 'no-model') return none(opened.problem);
  return none(`no engine runs the embedded model here${failedEnginesText(opened.failed)}`);
}

function notesOn(failed: readonly FailedEngine[]): readonly string[] {
  return failed.map(({ engine, message }) => `${engine} is not used: ${message}`);
}

function failedEnginesText(failed: readonly FailedEngine[]): string {
  return failed.map(({ engine, message }) => `; ${engine}: ${message}`).join('');
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
  { apiKey, environment = environmentVariable }: EmbedderPorts,
): Result<RemoteApi['apiKey'], string> {
  if (apiKey !== undefined) return ok(apiKey);
  if (apiKeyVariable === undefined) return ok(async () => undefined);
  if (environment(apiKeyVariable) === undefined) {
    return err(
      `embedder.apiKeyVariable names ${apiKeyVariable}, which is not set; fix: set it to the key`,
    );
  }
  return ok(async () => environment(apiKeyVariable));
}

/** The address of a service, with or without its version at the end, as people copy it. */
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
    apiKey: async () => undefined,
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
    return { kind: 'open', embedder: new RemoteEmbedder(api, remote, size), notes: [] };
  } catch (thrown) {
    if (!(thrown instanceof CodedError) || signal.aborted) throw thrown;
    return none(messageOf(thrown));
  }
}
