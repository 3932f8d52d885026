// The port to a model that turns text into vectors. Every vector has length one, so that the cosine of two vectors is
// their dot product; a text without a known word has the zero vector.

export interface Embedder {
  /** Vectors may be compared and stored together only if their `id` is the same. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * `as-read`: embedding costs less than reading, so each file is embedded as soon as it is read. `later`: all files are
   * read first, so that search by words is available early.
   */
  readonly pace: 'as-read' | 'later';
  /** A text with a lower cosine is unrelated to the question; absent if that was not measured. */
  readonly leastSimilarity?: number;
  /** Embeds a question as the user typed it, ahead of all documents. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** One vector for each text, in the same order. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** Rejects pending requests. Can be called twice. */
  close(): Promise<void>;
}
