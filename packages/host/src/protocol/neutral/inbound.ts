// The port for requests of servers to the host. The program that embeds the host answers them. The host declares only
// the capabilities that have an answerer.

import type { Json, JsonObject } from '@plugboard/base';
import type { RootsPort } from './roots.ts';
import type { SamplingAnswer, SamplingRequest } from './sampling.ts';

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

/** The answerers of a server's requests. Each has a row in inbound-requests.ts. */
interface Answerers {
  readonly elicit: (question: Question, signals: QuestionSignals) => Promise<Answer>;
  /** Has a model answer on behalf of the server. Never throws. */
  readonly sample: (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer>;
  readonly roots: RootsPort;
}

export type InboundPort = { readonly [Key in keyof Answerers]?: Answerers[Key] | undefined };

/** The same with all members stated, so that none is forgotten; `undefined` if a request is not supported. */
export type CompleteInboundPort = Required<InboundPort>;
