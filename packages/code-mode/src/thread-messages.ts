// The messages between the host's thread and the script's thread. Values are JSON texts, so that the threads share no
// objects.

import type { LimitName, ScriptError, ScriptLimits } from './script.ts';

/** A tool is identified by its index in the script's tools: a name would be copied out of the engine for each call. */
export type ServerTools = readonly (readonly [
  server: string,
  tools: readonly (readonly [tool: string, number: number])[],
])[];

export interface ThreadData {
  /** The compiled engine, which threads share. */
  readonly engine: object;
  readonly limits: ScriptLimits;
  /** The host's thread can read them even while the script's thread is busy. */
  readonly counters: Int32Array<SharedArrayBuffer>;
}

/** Indexes of the counters. */
export const COUNTER = {
  /** Odd while the script's code runs. */
  turns: 0,
  /** The number of log lines over the limit. A message for each would be a flood, too. */
  droppedLines: 1,
} as const;

export type ToThread =
  | { readonly kind: 'run'; readonly code: string; readonly tools: ServerTools }
  | { readonly kind: 'answer'; readonly id: number; readonly ok: boolean; readonly text: string };

export type FromThread =
  | { readonly kind: 'queue'; readonly id: number; readonly tool: number }
  | { readonly kind: 'call'; readonly id: number; readonly tool: number; readonly text: string }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'end'; readonly end: GuestEnd };

export type GuestEnd =
  | { readonly kind: 'done'; readonly text: string | undefined }
  | { readonly kind: 'failed'; readonly error: ScriptError }
  | { readonly kind: 'limit'; readonly limit: LimitName };
