// What the embedding program provides for sampling: the model, and the approval of each request. Without the
// model sampling is not supported; without the approval every request is refused.

import type { ScanFinding } from '../policy/index.ts';
import type { SampledMessage, SamplingRequest } from '../protocol/index.ts';
import type { SpentLimit } from './sampling-budget.ts';

export interface SamplingPort {
  /** Asks a model. Its tool calls are returned to the server, and never run here. */
  sample(request: SamplingRequest, options: SampleOptions): Promise<SampledOutcome>;
  /** Called for each request before a model is asked. Without it all are refused. */
  approve?(request: SamplingApprovalRequest): SamplingApproval | Promise<SamplingApproval>;
  /** Called for each answer before the server gets it. Without it, the answer to an approved request is sent. */
  review?(review: SamplingReview): SamplingReviewed | Promise<SamplingReviewed>;
}

export interface SampleOptions {
  readonly server: string;
  readonly signal: AbortSignal;
}

export interface SampledOutcome extends SampledMessage {
  /** The tokens used, prompt and answer. If absent, the whole reservation counts. */
  readonly tokens?: number;
}

export interface SamplingApprovalRequest {
  readonly server: string;
  /** The complete request, as it would be asked: text from the server. */
  readonly request: SamplingRequest;
  /** Content that a user would not see, or a model would obey. */
  readonly findings: readonly ScanFinding[];
  /** The upper bound of the prompt's size. */
  readonly promptTokens: number;
  readonly signal: AbortSignal;
}

export type SamplingApproval =
  /** `request`: as the user changed it. It must not allow a longer answer. */
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

/** A request of a server, and its outcome. */
export interface SamplingEvent {
  readonly kind: 'sampling';
  readonly server: string;
  /** As the model was asked, or as the server sent it if no model was asked. */
  readonly request: SamplingRequest;
  readonly findings: readonly ScanFinding[];
  readonly outcome: SamplingOutcome;
}

export type SamplingOutcome =
  | { readonly kind: 'answered'; readonly message: SampledMessage }
  | { readonly kind: 'denied'; readonly reason: string }
  | ({ readonly kind: 'budget-spent' } & SpentLimit)
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'failed'; readonly problem: string };
