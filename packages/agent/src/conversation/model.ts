// The port to a model: what it is asked, and what it says while it answers. It never throws; the last event says how
// it ended.

import type { JsonObject } from '@plugboard/base';
import type { AssistantMessage, Message, ToolCall } from './message.ts';

export interface Model {
  /** As a person names it: `anthropic/claude-sonnet-4-5`. */
  readonly name: string;
  readonly provider: string;
  readonly contextTokens: number;
  /** Ends with exactly one `finished` or `failed`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Of these tokens, in US dollars; `undefined` if the price is not known. */
  costOf(usage: Usage): number | undefined;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  /** In place of `tools`, where the model can load tools. */
  readonly loadable?: LoadableTools;
}

/** Tools of which a model sees only some, until its search finds others: their definitions are loaded then. */
export interface LoadableTools {
  readonly direct: readonly ModelTool[];
  readonly search: ModelTool;
  readonly deferred: readonly ModelTool[];
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Its arguments are still on their way. */
  | { readonly kind: 'call-announced'; readonly id: string; readonly tool: string }
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'retrying'; readonly afterMs: number; readonly failure: ModelFailure }
  | {
      readonly kind: 'finished';
      readonly reason: FinishReason;
      readonly message: AssistantMessage;
      readonly usage: Usage;
    }
  | { readonly kind: 'failed'; readonly failure: ModelFailure };

export type FinishReason = 'stop' | 'calls' | 'length' | 'filtered' | 'other';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, what came from the provider's cache, and what was put into it. */
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export interface ModelFailure {
  readonly kind:
    | 'bad-key'
    | 'no-access'
    | 'unknown-model'
    | 'context-overflow'
    | 'overloaded'
    | 'rate-limited'
    | 'no-credit'
    | 'unreachable'
    | 'bad-request'
    | 'broken-answer'
    | 'cancelled'
    | 'other';
  /** What the provider said, in one line. */
  readonly message: string;
  readonly status?: number;
  /** When the provider says to come back, in milliseconds since the epoch. */
  readonly retryAt?: number;
}
