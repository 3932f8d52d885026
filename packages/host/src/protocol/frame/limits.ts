// The limits of one message, on every transport.

export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** This client sends no batches, so no valid batch of answers is long. */
export const MAX_BATCH = 1000;

/** No valid message nests this deep; code that walks a deeper one could overflow the stack. */
export const MAX_DEPTH = 512;

/** The maximum number of input requests in one result; a person answers one at a time. */
export const MAX_QUESTIONS = 1000;

/** For JSON that is our own, or whose size and depth were checked before. */
export const NO_LIMITS = {
  maxLength: Number.POSITIVE_INFINITY,
  maxDepth: Number.POSITIVE_INFINITY,
};
