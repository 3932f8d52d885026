// What servers may ask of the host. The port declares the questions; the program that embeds the host answers
// them. Servers are not offered a question without an answerer.

import type { Json, JsonObject } from '@plugboard/base';
import type { RootsPort } from './roots.ts';
import type { SamplingAnswer, SamplingRequest } from './sampling.ts';

export interface FormQuestion {
  readonly kind: 'form';
  readonly message: string;
  /** A flat JSON Schema of the answer. */
  readonly schema: JsonObject;
}

/** A page that the user is asked to visit; the server learns the outcome there, not from the host. */
export interface UrlQuestion {
  readonly kind: 'url';
  readonly message: string;
  /** As the server wrote it. */
  readonly url: string;
  /**
   * What an `accept` means: `consent`, the user agreed to go there, and the server waits for the rest;
   * `done`, the user has finished there, and the original request is sent again.
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
  /** Aborts when the server reports that the user has finished at its page; only some servers do. */
  readonly finished: AbortSignal;
}

/** What a server can ask of a host, by who answers it. Each has its row in inbound-requests.ts. */
interface Answerers {
  readonly elicit: (question: Question, signals: QuestionSignals) => Promise<Answer>;
  /** Has a model answer on behalf of the server. Never throws. */
  readonly sample: (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer>;
  readonly roots: RootsPort;
}

export type InboundPort = { readonly [Key in keyof Answerers]?: Answerers[Key] | undefined };

/** The same, where nothing is left out by accident: what a server cannot ask is `undefined`. */
export type CompleteInboundPort = Required<InboundPort>;
