// The port to what turns text into vectors. Every vector has length one, so that the cosine of two is their dot
// product; a text that means nothing to the embedder has the vector zero.

export interface Embedder {
  /** Vectors may be compared, and kept, under one `id` only. */
  readonly id: string;
  readonly dimensions: number;
  /** What does the work, in words: to explain its speed. */
  readonly runtime: string;
  /**
   * `as-read`: costs less than reading files, and embeds each as soon as it is read. `later`: files are read first, so
   * that words need not wait.
   */
  readonly pace: 'as-read' | 'later';
  /** With a lower cosine, a text has nothing to do with a question; none if that was not measured. */
  readonly leastSimilarity?: number;
  /** A question as the user typed it. Goes ahead of all documents. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** One vector for each text, in their order. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** What is still waiting is rejected. Can be called twice. */
  close(): Promise<void>;
}
