// What a turn is made of.

import type { Clock } from '@plugboard/base';
import type { Compactor } from '../compact/index.ts';
import type { Message, Model, Toolbox, ToolOffer, UserMessage } from '../conversation/index.ts';
import type { Spending } from './spending.ts';

export interface TurnOptions {
  /** Whose turn it is: the name that its events and its calls go by. */
  readonly agent: string;
  readonly model: Model;
  readonly toolbox: Toolbox;
  readonly clock: Clock;
  /** What was said before. */
  readonly messages: readonly Message[];
  readonly message: UserMessage;
  /** Asked before every request, since servers come and go. */
  readonly system: (offer: ToolOffer) => string;
  readonly spending: Spending;
  /** Of the conversation, where it is longer than a turn. */
  readonly compactor?: Compactor;
  readonly limits?: Partial<TurnLimits>;
  /** Waited for before the first request, in place of asking a model that has no tools yet. */
  readonly firstTools?: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface TurnLimits {
  /** Requests to the model. */
  readonly steps: number;
  /** Calls that only read, at once. */
  readonly parallelCalls: number;
  /** How often one call may fail with the same arguments. */
  readonly sameFailures: number;
  /** How much of the model's context may be full before older messages are put together. */
  readonly contextShare: number;
}

export const DEFAULT_LIMITS: TurnLimits = {
  steps: 100,
  parallelCalls: 8,
  sameFailures: 3,
  contextShare: 0.8,
};
