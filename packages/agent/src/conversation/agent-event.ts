// The events of a turn, in the order in which they happen. A user interface needs nothing else to show a turn.

import type { JsonObject } from '@plugboard/base';
import type { Message, ToolAnswer, UserMessage } from './message.ts';
import type { ModelFailure, Usage } from './model.ts';

export type AgentEvent = { readonly agent: string } & (
  | { readonly kind: 'turn-started'; readonly message: UserMessage }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'retrying'; readonly afterMs: number; readonly failure: ModelFailure }
  | { readonly kind: 'call-announced'; readonly id: string; readonly tool: string }
  | {
      readonly kind: 'call-started';
      readonly id: string;
      /** The model name, and the server and title behind it. */
      readonly tool: string;
      readonly server: string;
      readonly title: string;
      readonly arguments: JsonObject;
    }
  | { readonly kind: 'call-progress'; readonly id: string; readonly progress: CallProgress }
  | {
      readonly kind: 'call-ended';
      readonly id: string;
      readonly answer: ToolAnswer;
      readonly ms: number;
    }
  /** A new message of the conversation; a transcript consists of these. */
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'servers'; readonly servers: readonly ServerNote[] }
  | {
      readonly kind: 'compacted';
      readonly messages: readonly Message[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly kind: 'usage'; readonly usage: Usage; readonly cost: number | undefined }
  | { readonly kind: 'turn-ended'; readonly end: TurnEnd }
);

export interface CallProgress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** The state of a server, as far as it concerns a conversation. */
export interface ServerNote {
  readonly server: string;
  readonly state: 'connecting' | 'ready' | 'down' | 'needs-sign-in';
  readonly tools: number;
  /** Why it is down, in one line. */
  readonly reason?: string;
}

/** What a server says about itself. */
export interface ServerInstructions {
  readonly server: string;
  readonly text: string;
}

export type TurnEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }
  /** The turn reached its maximum number of steps. */
  | { readonly kind: 'too-many-steps'; readonly steps: number }
  | { readonly kind: 'over-budget'; readonly spent: number; readonly budget: number };
