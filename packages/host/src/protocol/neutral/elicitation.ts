// A question of a server to the user, and the answer. The same in both eras. Everything in a question is text from the
// server: hostile.

import type { Json, JsonObject } from '@plugboard/base';

export interface FormQuestion {
  readonly kind: 'form';
  readonly message: string;
  /** A flat JSON Schema of the answer. */
  readonly schema: JsonObject;
}

/** A page for the user to visit. The page, not the host, tells the server the outcome. */
export interface UrlQuestion {
  readonly kind: 'url';
  readonly message: string;
  /** As the server wrote it. */
  readonly url: string;
  /**
   * What an `accept` means: `consent`, the user agreed to visit the page, and the server waits for the rest; `done`, the
   * user has finished there, and the original request is sent again.
   */
  readonly waitsFor: 'consent' | 'done';
}

export type Question = FormQuestion | UrlQuestion;

export type Answer =
  | { readonly kind: 'accept'; readonly content: Readonly<Record<string, Json>> }
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' };

export interface QuestionSignals {
  /** Aborts when an answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** Aborts when the server reports that the user has finished at its page. Only some servers report this. */
  readonly finished: AbortSignal;
}
