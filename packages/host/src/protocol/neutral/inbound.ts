// What servers may ask of the one who called them. The port declares the questions; whoever embeds
// the host answers them. A question without an answerer is not offered to servers at all.

import type { Json, JsonObject } from '@plugboard/base';
import type { RootsPort } from './roots.ts';
import type { SamplingAnswer, SamplingRequest } from './sampling.ts';

export interface FormQuestion {
  readonly kind: 'form';
  readonly message: string;
  /** A flat JSON Schema of the answer. */
  readonly schema: JsonObject;
}

/** A page that the person is to visit; what they do there the server learns without us. */
export interface UrlQuestion {
  readonly kind: 'url';
  readonly message: string;
  /** As the server wrote it. */
  readonly url: string;
  /**
   * What an `accept` says: that the person agreed to go there, and the server waits for the rest; or that
   * they are done, and what they called for is sent again.
   */
  readonly waitsFor: 'consent' | 'done';
}

export type Question = FormQuestion | UrlQuestion;

export type Answer =
  | { readonly kind: 'accept'; readonly content: Readonly<Record<string, Json>> }
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' };

export interface QuestionSignals {
  /** Aborts when no answer is wanted any more. */
  readonly signal: AbortSignal;
  /** Aborts when the server says that the person is done at its page; only some servers say so. */
  readonly finished: AbortSignal;
}

export interface InboundPort {
  readonly elicit?: (question: Question, signals: QuestionSignals) => Promise<Answer>;
  /** Asks a model in the server's name. Never throws. */
  readonly sample?: (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer>;
  readonly roots?: RootsPort;
}
