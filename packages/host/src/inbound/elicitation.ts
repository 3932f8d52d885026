// What a surface is asked on behalf of a server, what it may answer, and what it is told of questions that
// nobody was asked. Plain data: how a person is asked is the surface's business.

import type { Json } from '@plugboard/base';
import type { UrlRefusal } from '../platform/index.ts';
import type { AnswerIssue } from './check-answer.ts';
import type { FormField } from './form.ts';
import type { Page } from './read-page.ts';

export interface AskedForm {
  readonly kind: 'form';
  /** The server's words, fit to be shown. */
  readonly message: string;
  readonly fields: readonly FormField[];
  /** It seems to ask for a password or a token, which servers must not do in a form. A guess. */
  readonly soundsSecret: boolean;
}

/** To be opened only with the consent of the person who was shown all of it. Nothing was fetched. */
export interface AskedPage extends Page {
  readonly kind: 'url';
  readonly message: string;
  /** `done`: accept once the person has finished there. `consent`: as soon as they agree to go. */
  readonly waitsFor: 'consent' | 'done';
  /** Aborts when the server says that the person has finished there. Not all servers say so. */
  readonly finished: AbortSignal;
}

export interface ElicitationRequest {
  /** By its name in the configuration, which the server neither knows nor chooses. */
  readonly server: string;
  readonly question: AskedForm | AskedPage;
  /** Aborts when no answer is wanted any more. */
  readonly signal: AbortSignal;
}

export type ElicitationAnswer =
  /** `content`: by the names of the fields. What is left out is filled in from the defaults. */
  | { readonly kind: 'accept'; readonly content?: Readonly<Record<string, Json>> }
  /** `because`: nobody decided so; whoever listens to the host is told. */
  | { readonly kind: 'decline'; readonly because?: 'nobody-to-ask' }
  | { readonly kind: 'cancel' };

export type Elicit = (request: ElicitationRequest) => Promise<ElicitationAnswer>;

/** A question that was declined, and not by a person. */
export interface DeclinedQuestion {
  readonly server: string;
  readonly question: 'form' | 'url';
  /** The server's words, on one line. */
  readonly message: string;
  readonly reason: DeclineReason;
}

export type DeclineReason =
  | { readonly kind: 'nobody-to-ask' }
  /** It asks too much; said once, until it has been quiet for a minute. */
  | { readonly kind: 'too-many' }
  /** What it asks for is not what the protocol allows in a form. */
  | { readonly kind: 'not-a-form'; readonly detail: string }
  | { readonly kind: 'bad-url'; readonly why: UrlRefusal }
  /** The surface, or a hook, answered what the form does not ask for. */
  | { readonly kind: 'invalid-answer'; readonly issues: readonly AnswerIssue[] }
  | { readonly kind: 'hook'; readonly detail: string }
  /** The surface failed to ask. */
  | { readonly kind: 'failed'; readonly detail: string };

/** For programs that nobody watches. */
export const nobodyToAsk: Elicit = () =>
  Promise.resolve({ kind: 'decline', because: 'nobody-to-ask' });
