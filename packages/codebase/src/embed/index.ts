// The door of `embed`: models that turn text into vectors.

export type { Embedder } from './embedder.ts';
export {
  type EmbedderSettings,
  type OllamaSettings,
  type OpenAiSettings,
  parseEmbedderSettings,
} from './embedder-settings.ts';
export { type EmbedderPorts, openEmbedder } from './open-embedder.ts';
