// The questions of servers in the form for a surface, its answers, and the reports about questions that were declined
// without asking the user. Plain data: the surface decides how to ask.

import type { AnswerIssue, FormField, Json } from '@plugboard/base';
import type { UrlRefusal } from '../platform/index.ts';
import type { Page } from './read-page.ts';

export interface AskedForm {
  readonly kind: 'form';
  /** The server's text, sanitized for display. */
  readonly message: string;
  readonly fields: readonly FormField[];
  /** Whether it seems to ask for a password or a token, which servers must not do in a form. A heuristic. */
  readonly soundsSecret: boolean;
}

/** A page to be opened only with the consent of the user, who was shown all of this. Nothing was fetched. */
export interface AskedPage extends Page {
  readonly kind: 'url';
  readonly message: string;
  /** `done`: accept once the user has finished there. `consent`: accept as soon as the user agrees to open it. */
  readonly waitsFor: 'consent' | 'done';
  /** Aborts when the server reports that the user has finished there. Not all servers do. */
  readonly finished: AbortSignal;
}

export interface ElicitationRequest {
  /** The name in the configuration, which the server cannot choose. */
  readonly server: string;
  readonly question: AskedForm | AskedPage;
  /** Aborts when an answer is no longer wanted. */
  readonly signal: AbortSignal;
}

export type ElicitationAnswer =
  /** `content`: by field name. Omitted fields are filled in from the defaults. */
  | { readonly kind: 'accept'; readonly content?: Readonly<Record<string, Json>> }
  /** `because`: the user did not decide this; the host's listeners are notified. */
  | { readonly kind: 'decline'; readonly because?: 'nobody-to-ask' }
  | { readonly kind: 'cancel' };

export type Elicit = (request: ElicitationRequest) => Promise<ElicitationAnswer>;

/** A question that was declined, and not by the user. */
export interface DeclinedQuestion {
  readonly server: string;
  readonly question: 'form' | 'url';
  /** The server's text, on one line. */
  readonly message: string;
  readonly reason: DeclineReason;
}

export type DeclineReason =
  | { readonly kind: 'nobody-to-ask' }
  /** It asks too often; reported once, until it has been quiet for a minute. */
  | { readonly kind: 'too-many' }
  /** The protocol does not allow this in a form. */
  | { readonly kind: 'not-a-form'; readonly detail: string }
  | { readonly kind: 'bad-url'; readonly why: UrlRefusal }
  /** The surface, or a hook, gave an answer that the form does not allow. */
  | { readonly kind: 'invalid-answer'; readonly issues: readonly AnswerIssue[] }
  | { readonly kind: 'hook'; readonly detail: string }
  /** The surface failed to ask. */
  | { readonly kind: 'failed'; readonly detail: string };

/** For programs without a user to ask. */
export const nobodyToAsk: Elicit = () =>
  Promise.resolve({ kind: 'decline', because: 'nobody-to-ask' });
