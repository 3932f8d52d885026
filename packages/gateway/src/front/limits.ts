// How much a client may send.

/** Of one message. */
export const MESSAGE_LIMITS = { maxLength: 16 * 1024 * 1024, maxDepth: 100 };

export const HTTP_LIMITS = {
  bodyBytes: 16 * 1024 * 1024,
  /** For headers and body together. */
  requestMs: 30_000,
  /** What waits to be read by a client; beyond, it is cut off. */
  unreadBytes: 64 * 1024 * 1024,
  /** Messages for a session that has no stream open. */
  waiting: 1000,
  sessions: 10_000,
  /** A session without a request or a stream ends after this. */
  idleMs: 30 * 60_000,
} as const;
