// How large an image may be that a model is shown.

export interface ImageLimits {
  /** Pixels; the model's provider would make a larger one smaller anyway. */
  readonly maxEdge: number;
  /** Of the Base64 text, which is what providers count. */
  readonly maxBytes: number;
  /** More are not decoded: a file of a few bytes can claim to be billions of pixels. */
  readonly maxPixels: number;
}

export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxEdge: 1568,
  maxBytes: 5 * 1024 * 1024,
  maxPixels: 100_000_000,
};
