// What the embedding program gives so that servers may have a model asked: the model, and somebody who
// says yes to each request. Without the model no server can ask; without anybody, nothing is allowed.

import type { ScanFinding } from '../policy/index.ts';
import type { SampledMessage, SamplingRequest } from '../protocol/index.ts';
import type { Spent } from './sampling-budget.ts';

export interface SamplingPort {
  /** Asks a model. Tools that it uses are the server's: they are answered with, and never run here. */
  sample(request: SamplingRequest, options: SampleOptions): Promise<SampledOutcome>;
  /** Asked about each request before a model is. Without it all are refused. */
  approve?(request: SamplingApprovalRequest): SamplingApproval | Promise<SamplingApproval>;
  /** Asked about each answer before the server gets it. Without it, what was approved is answered. */
  review?(review: SamplingReview): SamplingReviewed | Promise<SamplingReviewed>;
}

export interface SampleOptions {
  readonly server: string;
  readonly signal: AbortSignal;
}

export interface SampledOutcome extends SampledMessage {
  /** What it took, prompt and answer. Left out, as much counts as was allowed. */
  readonly tokens?: number;
}

export interface SamplingApprovalRequest {
  readonly server: string;
  /** All of it, as it would be asked: text from the server. */
  readonly request: SamplingRequest;
  /** What in it people would not see, or a model would obey. */
  readonly findings: readonly ScanFinding[];
  /** What the prompt is at most. */
  readonly promptTokens: number;
  readonly signal: AbortSignal;
}

export type SamplingApproval =
  /** `request`: as the person changed it. It may not have a longer answer. */
  | { readonly kind: 'allow'; readonly request?: SamplingRequest }
  | { readonly kind: 'deny'; readonly reason: string };

export interface SamplingReview {
  readonly server: string;
  readonly request: SamplingRequest;
  readonly message: SampledMessage;
  readonly signal: AbortSignal;
}

export type SamplingReviewed =
  | { readonly kind: 'allow'; readonly message?: SampledMessage }
  | { readonly kind: 'deny'; readonly reason: string };

/** A request of a server's, and what came of it. */
export interface SamplingEvent {
  readonly kind: 'sampling';
  readonly server: string;
  /** As it was asked, or as the server sent it where nobody was asked. */
  readonly request: SamplingRequest;
  readonly findings: readonly ScanFinding[];
  readonly outcome: SamplingOutcome;
}

export type SamplingOutcome =
  | { readonly kind: 'answered'; readonly message: SampledMessage }
  | { readonly kind: 'denied'; readonly reason: string }
  | ({ readonly kind: 'budget-spent' } & Spent)
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'failed'; readonly problem: string };
