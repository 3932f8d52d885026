// What servers may ask of the one who called them. The port declares the questions; whoever embeds
// the host answers them. A question without an answerer is not offered to servers at all.

import type { Json, JsonObject } from '@plugboard/base';

export interface FormQuestion {
  readonly kind: 'form';
  readonly message: string;
  /** A flat JSON Schema of the answer. */
  readonly schema: JsonObject;
}

export type Question = FormQuestion;

export type Answer =
  | { readonly kind: 'accept'; readonly content: Readonly<Record<string, Json>> }
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' };

export interface InboundPort {
  readonly elicit?: (question: Question, signal: AbortSignal) => Promise<Answer>;
}
