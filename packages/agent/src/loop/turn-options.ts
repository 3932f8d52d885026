// The options of a turn.

import type { Clock } from '@plugboard/base';
import type { Compactor } from '../compact/index.ts';
import type { Message, Model, Toolbox, ToolOffer, UserMessage } from '../conversation/index.ts';
import type { Spending } from './spending.ts';

export interface TurnOptions {
  /** The name of the agent in its events and calls. */
  readonly agent: string;
  readonly model: Model;
  readonly toolbox: Toolbox;
  readonly clock: Clock;
  /** The earlier messages. */
  readonly messages: readonly Message[];
  readonly message: UserMessage;
  /** Called before every request, since servers come and go. */
  readonly system: (offer: ToolOffer) => string;
  readonly spending: Spending;
  /** The compactor of the conversation; by default, a new one. */
  readonly compactor?: Compactor;
  readonly limits?: Partial<TurnLimits>;
  /** Awaited before the first request, so that the model has tools from the start. */
  readonly firstTools?: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface TurnLimits {
  /** The maximum number of requests to the model. */
  readonly steps: number;
  /** The maximum number of read-only calls at once. */
  readonly parallelCalls: number;
  /** How often one call may fail with the same arguments. */
  readonly sameFailures: number;
  /** The share of the context window that may be used before older messages are compacted. */
  readonly contextShare: number;
}

export const DEFAULT_LIMITS: TurnLimits = {
  steps: 100,
  parallelCalls: 8,
  sameFailures: 3,
  contextShare: 0.8,
};
