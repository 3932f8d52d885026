// Sends JSON to an address and reads the answer up to a limit. It follows no redirect, so what is sent goes to
// that address and to no other. What the answer means is the caller's business.

import { requestJson, type RequestOutcome } from './request-json.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The most bytes that are read of the answer. */
  readonly maxBytes: number;
}

export type PostOutcome = RequestOutcome;
export type PostJson = (post: Post, signal: AbortSignal) => Promise<PostOutcome>;

/** Rejects only when `signal` aborts, with its reason. */
export const postJson: PostJson = (post, signal) =>
  requestJson({ method: 'POST', ...post }, signal);
