// The port to a model: its requests, and the events of its answer. It never throws; the last event says how the answer
// ended.

import type { JsonObject } from '@plugboard/base';
import type { AssistantMessage, Message, ToolCall } from './message.ts';

export interface Model {
  /** The name for users: `anthropic/claude-sonnet-4-5`. */
  readonly name: string;
  readonly contextTokens: number;
  /** Ends with exactly one `finished` or `failed`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The price of these tokens, in US dollars; `undefined` if it is unknown. */
  costOf(usage: Usage): number | undefined;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  /** Used in place of `tools` if the model can load tools. */
  readonly loadable?: LoadableTools;
}

/** Tools of which a model gets only some at first; the definitions of others are loaded when its search finds them. */
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
  /** The arguments of the call are still being streamed. */
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
  /** The parts of the input that were read from the provider's cache, and written to it. */
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
  /** The message of the provider, in one line. */
  readonly message: string;
  readonly status?: number;
  /** When the provider allows a retry, in milliseconds since the epoch. */
  readonly retryAt?: number;
}
